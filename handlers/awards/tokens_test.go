package awards_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	handlers "laurel/handlers/awards"
	"laurel/handlers/handlerstest"
)

type sourceToken struct {
	ID                              int64
	Source, Label, CreatedBy, Token string
}

// A token of a source pushes events of that source, which they need not name, and does nothing else.
func TestTokensOfSources(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	for body, field := range map[string]string{
		`{"source":"","label":"camera"}`: "source", `{"source":"two words","label":"camera"}`: "source",
		`{"source":"submissions","label":"camera"}`: "source", `{"source":"photo","label":" "}`: "label",
	} {
		s.Boss.Call("POST", "/admin/tokens", body).Refused(t, http.StatusUnprocessableEntity, field)
	}
	made := handlerstest.Read[sourceToken](t, s.Boss.Call("POST", "/admin/tokens", `{"source":"photo","label":"camera"}`), http.StatusCreated)
	p := s.Boss
	p.Token = made.Token
	unnamed := strings.Replace(photoLine("b", ""), `"source":"photo",`, "", 1)
	if out := handlerstest.Read[handlers.APIAppended](t, p.Call("POST", "/events", photoLine("a", "")+"\n"+unnamed), http.StatusOK); out.Accepted != 2 {
		t.Errorf("%+v", out)
	}
	foreign := strings.Replace(photoLine("d", ""), "photo", "navi", 1)
	p.Call("POST", "/events", photoLine("c", "")+"\n"+foreign).Is(t, http.StatusForbidden,
		"Line 2 is of the source navi, and this token may only push events of photo; nothing was stored")
	if out := handlerstest.Read[handlers.APIAppended](t, p.Call("POST", "/events", photoLine("c", "")), http.StatusOK); out.Accepted != 1 {
		t.Errorf("a line beside a foreign one was stored: %+v", out)
	}
	for _, other := range []string{"GET /members", "POST /events/firehose", "GET /admin/tokens", "POST /members/ada/submissions", "GET /admin/awards"} {
		method, path, _ := strings.Cut(other, " ")
		p.Call(method, path, "").Is(t, http.StatusForbidden, "This token may only push events of the source photo")
	}
	list := handlerstest.All[sourceToken](t, s.Boss, "/admin/tokens", "50")
	if len(list) != 1 || list[0].Token != "" || list[0].Source != "photo" || list[0].Label != "camera" {
		t.Errorf("listed as %+v", list)
	}
	var plain int
	if err := s.DB.Raw(`SELECT count(*) FROM source_tokens t WHERE strpos(CAST(t AS text), ?) > 0`, made.Token).Scan(&plain).Error; err != nil || plain > 0 {
		t.Errorf("%d secrets are stored, %v", plain, err)
	}
	s.Boss.Call("DELETE", fmt.Sprint("/admin/tokens/", made.ID), "").Is(t, http.StatusNoContent)
	s.Boss.Call("DELETE", fmt.Sprint("/admin/tokens/", made.ID), "").Is(t, http.StatusNotFound)
	p.Call("POST", "/events", photoLine("e", "")).Is(t, http.StatusUnauthorized, "does not exist or was revoked")
}

// The page of events makes tokens, shows each once, and ends them.
func TestTokensOfSourcesOnThePage(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	root := s.SignedIn(t, "boss")
	root.Post("/admin/tokens", "source", "two words", "label", "camera").Is(t, http.StatusUnprocessableEntity, "two words", "letters, digits")
	root.Post("/admin/tokens", "source", "photo", "label", "camera").Is(t, http.StatusOK, "source_", "will not be shown again", "camera")
	if page := root.Get("/admin/events").Is(t, http.StatusOK, "camera"); strings.Contains(page.Text, "source_") {
		t.Error("a token is shown again")
	}
	var id int64
	if err := s.DB.Raw(`SELECT id FROM source_tokens`).Scan(&id).Error; err != nil {
		t.Fatal(err)
	}
	root.Post(fmt.Sprint("/admin/tokens/", id, "/revoke")).LeadsTo(t, "/admin/events?done=revoked#tokens")
	if page := root.Get("/admin/events"); strings.Contains(page.Text, "camera") {
		t.Error("a revoked token is still there")
	}
}
