package profiles_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

func TestCard(t *testing.T) {
	t.Parallel()
	s, _ := handlerstest.Community(t)
	b := s.Browser(t)
	card := b.Get("/u/ada/card.svg").Is(t, http.StatusOK, ">ada<", "problems solved", "Last six months", "prefers-color-scheme")
	if len(card.Text) > 15<<10 || card.Header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("the card has %d bytes of %s", len(card.Text), card.Header.Get("Content-Type"))
	}
	wellFormed(t, card.Text)
	if card.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" || !strings.Contains(card.Header.Get("Cache-Control"), "max-age=3600") {
		t.Errorf("nobody else can show it: %v", card.Header)
	}
	b.Get("/u/ada/card.svg", "If-None-Match", card.Header.Get("ETag")).Is(t, http.StatusNotModified)

	dark := b.Get("/u/ada/card.svg?theme=dark&parts=streak").Is(t, http.StatusOK, "streak, best")
	for _, absent := range []string{"problems solved", "Last six months", "prefers-color-scheme"} {
		if strings.Contains(dark.Text, absent) {
			t.Errorf("%q is on a card without it", absent)
		}
	}
	wellFormed(t, b.Get("/u/ada/card.svg?parts=").Is(t, http.StatusOK).Text)
	wellFormed(t, b.Get("/u/ada/card.svg?parts=%3Cscript%3E").Is(t, http.StatusBadRequest, "There is no part").Text)
	b.Get("/u/ada/card.svg?theme=pink").Is(t, http.StatusBadRequest, "There is no theme")

	badge := b.Get("/u/ada/badge.svg").Is(t, http.StatusOK, " solved")
	wellFormed(t, badge.Text)
	nobody := b.Get("/u/nobody/card.svg").Is(t, http.StatusOK, "A community of competitive programmers")
	wellFormed(t, nobody.Text)
	wellFormed(t, b.Get("/u/nobody/badge.svg").Is(t, http.StatusOK).Text)
	for _, address := range []string{"/u/ada/preview.png", "/u/nobody/preview.png", "/preview.png"} {
		picture, err := png.DecodeConfig(bytes.NewReader([]byte(b.Get(address).Is(t, http.StatusOK).Text)))
		if err != nil || picture.Width != 1200 || picture.Height != 630 {
			t.Errorf("%s is %+v: %v", address, picture, err)
		}
	}
}

// Nobody learns from a card who is here: that of somebody whom not everybody may see is that of a name
// that nobody has.
func TestCardOfSomebodyElse(t *testing.T) {
	t.Parallel()
	s, ann, _ := handlerstest.NewWithMembers(t)
	ann.Post("/custom", "name", "quiet", "accounts.codeforces", "tourist").LeadsTo(t, "/u/quiet?done=followed")
	b := s.Browser(t)
	for _, picture := range []string{"card.svg", "badge.svg", "preview.png"} {
		if b.Get("/u/quiet/"+picture).Is(t, http.StatusOK).Text != b.Get("/u/nobody/"+picture).Text {
			t.Errorf("%s differs", picture)
		}
	}
}

func TestShareCard(t *testing.T) {
	t.Parallel()
	s, ann, _ := handlerstest.NewWithMembers(t)
	s.Browser(t).Get("/settings/card").LeadsTo(t, "/sign-in?next=%2Fsettings%2Fcard")
	ann.Get("/settings/card").Is(t, http.StatusOK, `src="/u/ann/card.svg?theme=light"`, `src="/u/ann/card.svg?theme=dark"`, "/u/ann/card.svg)]")
	ann.Get("/settings/card?theme=dark&parts=solved&parts=heat").Is(t, http.StatusOK, "/u/ann/card.svg?parts=solved%2Cheat&amp;theme=dark")
	ann.Get("/settings/card?parts=x").Is(t, http.StatusUnprocessableEntity, "There is no part")
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("no XML: %v\n%s", err, text)
		}
	}
}
