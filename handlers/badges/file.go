package badges

import (
	"crypto/ed25519"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
)

// readElsewhere lets other sites' pages read an answer that anybody may see.
func readElsewhere(c echo.Context, keep time.Duration) {
	set := c.Response().Header().Set
	set("Access-Control-Allow-Origin", "*")
	set("Cross-Origin-Resource-Policy", "cross-origin")
	set("Cache-Control", "public, max-age="+strconv.Itoa(int(keep.Seconds())))
}

// DID is the document by which the site and its keys are known.
func (h *Handlers) DID(c echo.Context) error {
	ring, err := h.badgeKeys(c)
	if err != nil {
		return err
	}
	document, err := openbadge.Keys{Site: h.URL, Public: ring.Public}.Document()
	if err != nil {
		return err
	}
	readElsewhere(c, 5*time.Minute)
	return c.Blob(http.StatusOK, "application/did+json", document)
}

func (h *Handlers) badgeKeys(c echo.Context) (badges.Ring, error) {
	return badges.Keys(c.Request().Context(), h.DB.DB, h.Secret, h.Now())
}

// sendBadge sends a badge as a file. Nothing of it is stored: the same grant
// gives the same bytes, so the tag is known before a picture is drawn.
func (h *Handlers) sendBadge(c echo.Context, b *badges.Badge, kind string) error {
	credential, err := h.credential(b)
	if err != nil {
		return err
	}
	open := b.Public && h.Viewer(c) == nil
	if kind == badgeJSON {
		key, err := h.signingKey(c)
		if err != nil {
			return err
		}
		text, err := openbadge.SignJSON(key, credential)
		if err != nil {
			return err
		}
		if open {
			readElsewhere(c, 5*time.Minute)
		}
		return taggedFile(c, "application/json; charset=utf-8", web.ETag(string(text)), func() ([]byte, error) { return text, nil })
	}
	jwt, err := h.sign(c, credential)
	if err != nil {
		return err
	}
	if open {
		readElsewhere(c, 5*time.Minute)
	}
	picture := badges.Picture(b.Slug, &b.Doc)
	picture.Title, picture.Level, picture.Rank = credential.Subject.Achievement.Name, awards.LevelTitle(&b.Doc, b.Level), rankOf(b)
	tag := web.ETag(kind, jwt, fmt.Sprint(picture))
	switch kind {
	case badgePNG:
		return taggedFile(c, "image/png", tag, func() ([]byte, error) {
			file, err := drawn(picture)
			if err != nil {
				return nil, err
			}
			return openbadge.BakePNG(file, jwt)
		})
	case badgeSVG:
		return taggedFile(c, "image/svg+xml", tag, func() ([]byte, error) { return openbadge.BakeSVG(picture.SVG(), jwt) })
	}
	// Some readers of badges go by this.
	return taggedFile(c, "text/plain; charset=utf-8", tag, func() ([]byte, error) { return []byte(jwt), nil })
}

func (h *Handlers) sign(c echo.Context, credential openbadge.Credential) (string, error) {
	key, err := h.signingKey(c)
	if err != nil {
		return "", err
	}
	return openbadge.Sign(key, credential)
}

func (h *Handlers) signingKey(c echo.Context) (ed25519.PrivateKey, error) {
	ring, err := h.badgeKeys(c)
	if err != nil {
		return nil, err
	}
	return ring.Signing()
}

// rankOf is the badge's level, where the award has several.
func rankOf(b *badges.Badge) int {
	if len(b.Doc.Levels) == 0 {
		return 0
	}
	return b.Level
}

// taggedFile sends a file, unless the reader has it already.
func taggedFile(c echo.Context, kind, tag string, file func() ([]byte, error)) error {
	c.Response().Header().Set("ETag", tag)
	if web.MatchesETag(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	bytes, err := file()
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, kind, bytes)
}

// AwardPNG is an award's picture without a badge, for those who show one.
func (h *Handlers) AwardPNG(c echo.Context) error {
	shown, err := awards.ShownNamed(c.Request().Context(), h.DB.DB, c.Param("slug"), nil)
	if err != nil {
		return err
	}
	readElsewhere(c, time.Hour)
	picture := badges.Picture(shown.Slug, &shown.Doc)
	return taggedFile(c, "image/png", web.ETag("picture", fmt.Sprint(picture)), func() ([]byte, error) { return drawn(picture) })
}

// pictures are the newest ones that were drawn, for drawing one takes a tenth of
// a second. They are few: one for each award and level. One is drawn at a time,
// so that visitors cannot keep all processors busy.
var pictures struct {
	sync.Mutex
	files map[openbadge.Picture][]byte
}

const picturesCached = 500 // Of about 10 kB.

// drawn is a picture as a PNG file; its words are not in it.
func drawn(p openbadge.Picture) ([]byte, error) {
	p.Title, p.Level = "", ""
	pictures.Lock()
	defer pictures.Unlock()
	if file, ok := pictures.files[p]; ok {
		return file, nil
	}
	file, err := p.PNG()
	if err != nil {
		return nil, err
	}
	if pictures.files == nil || len(pictures.files) == picturesCached {
		pictures.files = map[openbadge.Picture][]byte{}
	}
	pictures.files[p] = file
	return file, nil
}
