package badges_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
)

func unjwk(t *testing.T, k openbadge.JWK) ed25519.PublicKey {
	t.Helper()
	key, err := base64.RawURLEncoding.DecodeString(k.X)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sendsFile sends a file with the form that checks badges.
func sendsFile(b *handlerstest.Browser, name, file string) handlerstest.Answer {
	b.T.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, file)
	}
	if err == nil {
		err = w.WriteField("badge", "")
	}
	if err != nil || w.Close() != nil {
		b.T.Fatal(err)
	}
	return b.Do("POST", "/badges/verify", &body, "Content-Type", w.FormDataContentType())
}

func TestWhatIsNoBadgeIsRefusedInWords(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.Browser(t)
	path := badge(t, s, "ada", "smith", 1)
	jwt, png, svg := b.Get(path+".jwt").Text, b.Get(path+".png").Text, b.Get(path+".svg").Text
	parts := strings.Split(jwt, ".")
	other := func(site string) string {
		_, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		g := openbadge.Grant{Site: site, Issuer: "x", ID: site + "/b", GrantedAt: s.Time, Award: site, Slug: "x", Title: "x", Member: "x", Profile: site, List: site}
		c, err := g.Credential()
		if err != nil {
			t.Fatal(err)
		}
		text, err := openbadge.Sign(key, c)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, tt := range map[string]struct{ file, words string }{
		"changed text":        {parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"did:web:laurel.test"}`)) + "." + parts[2], "the badge was changed or never issued"},
		"changed signature":   {parts[0] + "." + parts[1] + "." + strings.Repeat("A", len(parts[2])), "the badge was changed or never issued"},
		"changed picture":     {strings.Replace(png, parts[1][:40], strings.Repeat("A", 40), 1), "Not a valid badge"},
		"changed SVG":         {strings.Replace(svg, parts[2][:20], strings.Repeat("A", 20), 1), "the badge was changed or never issued"},
		"another site's":      {other("https://else.example"), "Signed by another site"},
		"a stranger's as our": {other(s.URL), "a key that this site does not have"},
		"a picture alone":     {png[:200], "Not a valid badge"},
		"an address":          {"https://laurel.test/badges/x", ""},
		"nothing":             {"", "Choose a file"},
		"just words":          {"hello", "no Open Badge 3.0"},
		"JSON":                {`{"a":1}`, "Not a badge as JSON with one proof"},
		"a page":              {"<html><body>x</body></html>", "Not a valid badge"},
	} {
		if a := sendsFile(b, "x", tt.file); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text, tt.words) || !strings.Contains(a.Text, "Verify a badge") {
			t.Errorf("%s: status %d, want 422 and %q:\n%s", name, a.StatusCode, tt.words, a.Text)
		}
	}
	b.Post("/badges/verify", "badge", "https://laurel.test/badges/x").Is(t, http.StatusUnprocessableEntity, "This is a URL")
	sendsFile(b, "large.png", strings.Repeat("x", 2<<20)).Is(t, http.StatusRequestEntityTooLarge, "at most 1 MB")
	sendsFile(b, "full.png", png+strings.Repeat("x", web.MaxBody-len(png))).Is(t, http.StatusOK)
	b.Do("POST", "/badges/verify", strings.NewReader("x"), "Content-Type", "multipart/form-data; boundary=y").Is(t, http.StatusBadRequest, "could not be read")
	if s.Logged.Len() > 0 {
		t.Errorf("the log says:\n%s", s.Logged)
	}
}

// Whatever is sent, the answer is words and never a failure of ours.
func TestVerifySpoiltFiles(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.Browser(t)
	path := badge(t, s, "ada", "smith", 1)
	r := rand.New(rand.NewPCG(7, 11))
	for _, kind := range []string{".jwt", ".svg", ".png"} {
		file := b.Get(path+kind).Is(t, http.StatusOK).Text
		for range 150 {
			spoilt := []byte(file)
			for range 1 + r.IntN(4) {
				switch at := r.IntN(len(spoilt)); r.IntN(4) {
				case 0:
					spoilt[at] = byte(r.IntN(256))
				case 1:
					spoilt = append(spoilt[:at:at], append([]byte("\x00<![CDATA["), spoilt[at:]...)...)
				case 2:
					spoilt = spoilt[:at+1]
				case 3:
					spoilt = append(spoilt, spoilt[at:]...)
				}
			}
			if a := sendsFile(b, "x"+kind, string(spoilt)); a.StatusCode != http.StatusOK && a.StatusCode/100 != 4 || !strings.Contains(a.Text, "</html>") {
				t.Fatalf("%s: status %d for %q", kind, a.StatusCode, spoilt)
			}
		}
	}
	if s.Logged.Len() > 0 {
		t.Errorf("the log says:\n%s", s.Logged)
	}
}

func TestKeysOfBadges(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	ctx, b := t.Context(), s.Browser(t)
	path := badge(t, s, "ada", "smith", 1)
	first := b.Get(path+".jwt").Is(t, http.StatusOK).Text
	if err := badges.NewKey(ctx, s.DB.DB, s.Secret, s.Time.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	second := b.Get(path+".jwt").Is(t, http.StatusOK).Text
	if first == second || len(publishedKeys(t, s, b).Public) != 2 {
		t.Fatal("the new key does not sign, or the old one is not known any more")
	}
	for _, jwt := range []string{first, second} {
		b.Post("/badges/verify", "badge", jwt).Is(t, http.StatusOK, "Valid.")
	}

	right := s.Secret
	wrong, err := pg.NewSecret(strings.Repeat("another", 9))
	if err != nil {
		t.Fatal(err)
	}
	for _, s.Secret = range []pg.Secret{wrong, {}} {
		s.Restart()
		for _, address := range []string{path + ".jwt", path + ".png", "/badges/status/1"} {
			b.Get(address).Is(t, http.StatusServiceUnavailable, "cannot open its signing key")
		}
		b.Get(path).Is(t, http.StatusOK, "Valid.") // All that needs no signature goes on.
		b.Post("/badges/verify", "badge", first).Is(t, http.StatusOK, "Valid.")
	}
	if words := s.Logged.String(); !strings.Contains(words, "laurel badge-key new") || !strings.Contains(words, "there is no secret key: set LAUREL_SECRET_KEY") {
		t.Errorf("the log does not tell the way out:\n%s", words)
	}
	s.Logged.Reset()
	s.Secret = right
	s.Restart()

	keys, err := badges.AllKeys(ctx, s.DB.DB)
	if err != nil {
		t.Fatal(err)
	}
	if err := badges.DistrustKey(ctx, s.DB.DB, keys[0].Kid, s.Time); err != nil {
		t.Fatal(err)
	}
	b.Post("/badges/verify", "badge", second).Is(t, http.StatusUnprocessableEntity, "no longer trusts")
	b.Post("/badges/verify", "badge", first).Is(t, http.StatusOK, "Valid.")
	third := b.Get(path+".jwt").Is(t, http.StatusOK).Text
	b.Post("/badges/verify", "badge", third).Is(t, http.StatusOK, "Valid.")
}

// The JSON of a badge carries a proof and the page that says what counted, and is verified like the signed text.
func TestJSONOfABadgeProvesItself(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.Browser(t)
	text := b.Get(badge(t, s, "ada", "smith", 1)+".json").Is(t, http.StatusOK, "eddsa-jcs-2022").Text
	c, err := openbadge.VerifyJSON([]byte(text), publishedKeys(t, s, b), s.Time)
	if err != nil || len(c.Evidence) != 1 {
		t.Fatalf("%+v, %v", c.Evidence, err)
	}
	b.Get(strings.TrimPrefix(c.Evidence[0].ID, s.URL)).Is(t, http.StatusOK, "What counted", "Smith")
	b.Post("/badges/verify", "badge", text).Is(t, http.StatusOK, "Valid.")
	b.Post("/badges/verify", "badge", strings.Replace(text, "Two of", "Ten of", 1)).Is(t, http.StatusUnprocessableEntity, "the badge was changed")
}
