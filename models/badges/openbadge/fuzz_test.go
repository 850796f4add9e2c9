package openbadge

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// light fails a test whose work takes more memory than a badge is worth, or
// more time than a busy machine excuses.
func light(t *testing.T, work func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	work()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 64<<20 {
		t.Errorf("took %d MB", spent>>20)
	}
	if took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

// No text that this test did not sign is believed.
func FuzzVerify(f *testing.F) {
	good, _ := signed(f, grant())
	keys := keysOf(f)
	f.Add(good)
	f.Add(good[:len(good)-1] + "A")
	f.Add(rfcSigned + "." + rfcSignature)
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Add(strings.Repeat("[", 1000) + ".." + strings.Repeat(".", 1000))
	f.Fuzz(func(t *testing.T, jwt string) {
		light(t, func() {
			if _, err := Verify(jwt, keys, noon); err == nil && strings.TrimSpace(jwt) != good {
				t.Errorf("believed: %s", jwt)
			}
			if _, err := VerifyList(jwt, keys, site+"/badges/lists/1", noon); err == nil {
				t.Errorf("believed as a list: %s", jwt)
			}
		})
	})
}

// Whatever this site has signed, by mistake or before another form was
// chosen, is read or refused.
func FuzzVerifyPayload(f *testing.F) {
	good, _ := signed(f, grant())
	tok, err := parse(good)
	if err != nil {
		f.Fatal(err)
	}
	key, keys := rfcKey(f), keysOf(f)
	f.Add(tok.payload)
	f.Add([]byte(`{"credentialStatus":{"statusListIndex":"99999999999999999999"}}`))
	f.Add([]byte(`{"nbf":1e400}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, typ := range []string{typBadge, typList} {
			jwt, err := seal(key, header{Alg: "EdDSA", Typ: typ, Kid: tok.header.Kid}, payload)
			if err != nil {
				return
			}
			light(t, func() {
				c, err := Verify(jwt, keys, noon)
				if err == nil {
					if bit, err := c.Status.Bit(); err != nil || bit < 0 || bit >= ListSize || c.Issuer.ID != "did:web:laurel.example" {
						t.Errorf("read: %+v", c)
					}
				}
				_, _ = VerifyList(jwt, keys, site+"/badges/lists/1", noon)
			})
		}
	})
}

func FuzzDecodeList(f *testing.F) {
	f.Add(emptyList)
	f.Add(pack(f, ListSize/8+1))
	f.Add(pack(f, 3))
	f.Fuzz(func(t *testing.T, text string) {
		light(t, func() {
			l, err := decodeList(text)
			if err != nil {
				return
			}
			again, err := l.encode()
			if err != nil {
				t.Fatal(err)
			}
			if back, err := decodeList(again); err != nil || *back != *l {
				t.Errorf("another list when read again: %v", err)
			}
		})
	})
}

// A file of any bytes has a badge or not, and where one can be put in, it can
// be taken out.
func FuzzUnbake(f *testing.F) {
	good, _ := signed(f, grant())
	for _, file := range [][]byte{draw(f, explorer), explorer.SVG(), byHand(f, handIHDR, handBadge, handIDAT, handIEND), []byte(good)} {
		f.Add(file)
	}
	f.Add([]byte(`<svg xmlns:o="` + spaceBadge + `"><o:credential verify="e30.e30.AA"/></svg>`))
	f.Add([]byte(`<svg xmlns="http://www.w3.org/2000/svg" a="/" ><!-- > --><g/></svg>`))
	f.Fuzz(func(t *testing.T, file []byte) {
		light(t, func() {
			if jwt, err := Unbake(file); err == nil {
				if _, err := parse(jwt); err != nil {
					t.Errorf("took out %q: %v", jwt, err)
				}
			}
			for name, bake := range map[string]func([]byte, string) ([]byte, error){"PNG": BakePNG, "SVG": BakeSVG} {
				baked, err := bake(file, handToken)
				if err != nil {
					continue
				}
				if got, err := Unbake(baked); err != nil || got != handToken {
					t.Errorf("%s: put in, but out came %q, %v", name, got, err)
				}
			}
		})
	})
}

func FuzzSVG(f *testing.F) {
	f.Add("explorer", "Explorer", "Gold", 3)
	f.Add("", "]]><script>", "&#0;\xff", -1)
	f.Fuzz(func(t *testing.T, slug, title, level string, rank int) {
		light(t, func() {
			p := Picture{Slug: slug, Title: title, Level: level, Rank: rank, Icon: level, Emoji: title}
			if _, err := BakeSVG(p.SVG(), handToken); err != nil {
				t.Errorf("%+v: %v", p, err)
			}
		})
	})
}

// Any texts in a grant survive signing, or the grant is refused.
func FuzzGrant(f *testing.F) {
	f.Add("Explorer", "Five & ten", "Ada <Lovelace>", "Gold", int64(0), 5)
	f.Fuzz(func(t *testing.T, title, text, name, level string, at int64, index int) {
		if !utf8.ValidString(title + " " + text + " " + name + " " + level) {
			return // The database has no such texts.
		}
		g := grant()
		g.Title, g.Text, g.DisplayName, g.Level, g.GrantedAt, g.Index = title, text, name, level, time.Unix(at, 0), index
		c, err := g.Credential()
		if err != nil {
			return
		}
		jwt, err := Sign(rfcKey(t), c)
		if err != nil {
			return
		}
		got, err := Verify(jwt, Keys{site, []ed25519.PublicKey{rfcKey(t).Public().(ed25519.PublicKey)}}, g.GrantedAt)
		if err != nil {
			t.Fatalf("%+v: %v", g, err)
		}
		first, _ := json.Marshal(c)
		if again, _ := json.Marshal(got); !bytes.Equal(first, again) {
			t.Errorf("got  %s\nwant %s", again, first)
		}
	})
}
