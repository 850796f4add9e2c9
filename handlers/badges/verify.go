package badges

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
	views "laurel/views/badges"
	"laurel/views/texts"
)

// VerifyForm asks for a badge.
func (h *Handlers) VerifyForm(c echo.Context) error {
	return h.showVerify(c, http.StatusOK, "", nil)
}

func (h *Handlers) showVerify(c echo.Context, status int, wrong string, verdict *views.Verdict) error {
	ctx := c.Request().Context()
	return web.Render(c, status, views.VerifyPage(views.Verify{Frame: h.AwardsFrame(c, texts.T(ctx, "Verify a badge")),
		Now: h.Now().In(h.ViewerZone(c)), Issuer: h.issuer(ctx), Wrong: wrong, Verdict: verdict}))
}

// Verify says whether a badge is ours, unchanged and still held. Nothing of
// it is kept.
func (h *Handlers) Verify(c echo.Context) error {
	file, err := badgeSent(c)
	if errs := web.FieldErrors(err); errs != nil {
		return h.showVerify(c, http.StatusUnprocessableEntity, texts.Say(c.Request().Context(), errs["badge"]), nil)
	}
	if err != nil {
		return err
	}
	ring, err := h.badgeKeys(c)
	if err != nil {
		return err
	}
	credential, wrong := verified(file, openbadge.Keys{Site: h.URL, Public: ring.Public}, h.Now())
	if wrong != nil {
		return h.showVerify(c, http.StatusUnprocessableEntity,
			texts.T(c.Request().Context(), "Not a valid badge of this site. %s", web.Sentence(wrong.Error())), nil)
	}
	verdict, err := h.verdict(c, &credential)
	if err != nil {
		return err
	}
	return h.showVerify(c, http.StatusOK, "", verdict)
}

// verified is what a file says that one of our keys has signed: JSON with a proof, a picture or the signed text.
func verified(file []byte, keys openbadge.Keys, now time.Time) (openbadge.Credential, error) {
	if text := bytes.TrimSpace(file); bytes.HasPrefix(text, []byte("{")) {
		return openbadge.VerifyJSON(text, keys, now)
	}
	jwt, err := openbadge.Unbake(file)
	if err != nil {
		return openbadge.Credential{}, err
	}
	return openbadge.Verify(jwt, keys, now)
}

// verdict is what there is to say of a badge whose signature is ours: what it
// says itself, and what became of it.
func (h *Handlers) verdict(c echo.Context, of *openbadge.Credential) (*views.Verdict, error) {
	v := &views.Verdict{Title: of.Name, At: of.ValidFrom, Known: true, DID: of.Issuer.ID}
	for _, i := range of.Subject.Identifier {
		v.DisplayName = i.Value // The display name is the last one.
	}
	id, _ := strings.CutPrefix(of.ID, h.badgeAddress(""))
	b, err := badges.Find(c.Request().Context(), h.DB.DB, id, h.Viewer(c))
	if errors.Is(err, pg.ErrNotFound) {
		v.Known = false
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.State, v.Gone = views.State{Revoked: b.RevokedAt, Superseded: b.SupersededAt}, b.Gone
	if b.Shown {
		v.State = stateOf(&b)
		v.Page, v.Profile = "/badges/"+b.ID, web.MemberAddress(b.Member)
	}
	return v, nil
}

// badgeSent is what was sent with the form: a file, or what was pasted.
func badgeSent(c echo.Context) ([]byte, error) {
	sent, err := web.Upload(c, "badge", web.MaxBody+maxForm)
	if err != nil {
		return nil, err
	}
	switch text := strings.TrimSpace(sent); {
	case text == "":
		return nil, &pg.InputError{Field: "badge", Message: "choose a file or paste the text of a badge"}
	case strings.HasPrefix(text, "http://"), strings.HasPrefix(text, "https://"):
		return nil, &pg.InputError{Field: "badge",
			Message: "this is a URL: open it to see the badge, then upload its file or paste its text here"}
	}
	return []byte(sent), nil
}
