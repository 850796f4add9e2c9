package badges_test

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/badges"
	"laurel/handlers/handlerstest"
	"laurel/models/accounts"
	"laurel/models/badges/openbadge"
	"laurel/models/members"
)

const smith = `{"title": "Smith", "text": "Two of them.", "permanence": "live",
	"objectives": [{"id": "n", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}], "rule": {"name": "CountRule"}}],
	"strategy": {"goal": 2, "strategy": [{"objective_id": "n"}]}, "levels": [{"title": "Iron", "goal": 1}, {"title": "Steel", "goal": 2}]}`

// smiths is a site where ada has both levels of an award.
func smiths(t *testing.T) *handlerstest.AwardSite {
	t.Helper()
	s := handlerstest.NewAwardSite(t, "ada", "bob")
	s.Activate(t, "smith", smith)
	s.Send(t, review("1", "ada", "active", 1, s.Time), review("2", "ada", "active", 1, s.Time))
	s.Want(t, "ada", "smith", "granted 2 of 2")
	return s
}

// review is an event about an item with a status.
func review(item, member, status string, seq int, at time.Time) string {
	line, _ := json.Marshal(map[string]any{"source": "reviews", "id": item + status + member, "item": item, "seq": seq, "member": member, "type": "review", "status": status, "at": at.Add(-time.Hour)})
	return string(line)
}

// badge is the address of a member's newest badge of a level, without the site's.
func badge(t *testing.T, s *handlerstest.AwardSite, member, slug string, level int) string {
	t.Helper()
	for _, g := range s.Standing(t, s.Boss, member, slug).Grants {
		if g.Level == level && g.Badge != nil {
			return strings.TrimPrefix(*g.Badge, s.URL)
		}
	}
	t.Fatalf("%s has no badge of %s", member, slug)
	return ""
}

// revokedBit says whether the list that a badge names has it revoked, as others look it up.
func revokedBit(t *testing.T, s *handlerstest.AwardSite, b *handlerstest.Browser, c openbadge.Credential) bool {
	t.Helper()
	a := b.Get(strings.TrimPrefix(c.Status.List, s.URL)).Is(t, http.StatusOK)
	if a.Header.Get("Content-Type") != "application/vc+jwt" || a.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("the list is sent as %v", a.Header)
	}
	end := strings.LastIndexByte(a.Text, '.')
	signature, err := base64.RawURLEncoding.DecodeString(a.Text[end+1:])
	if err != nil || !slices.ContainsFunc(publishedKeys(t, s, b).Public, func(key ed25519.PublicKey) bool {
		return ed25519.Verify(key, []byte(a.Text[:end]), signature)
	}) {
		t.Fatalf("the list is not signed with a key of the site: %v", err)
	}
	var list struct {
		ID                string
		CredentialSubject struct{ EncodedList string }
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(a.Text, ".")[1])
	if err != nil || json.Unmarshal(payload, &list) != nil || list.ID != c.Status.List {
		t.Fatalf("%v: the list is %s", err, payload)
	}
	packed, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(list.CredentialSubject.EncodedList, "u"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	bits, err := io.ReadAll(r)
	if err != nil || len(bits) != 131_072/8 {
		t.Fatalf("%v: %d bytes of a list", err, len(bits))
	}
	bit, err := strconv.Atoi(c.Status.Index)
	if err != nil {
		t.Fatal(err)
	}
	return bits[bit/8]&(0x80>>(bit%8)) != 0 // The first bit is the left-most one.
}

// publishedKeys are the keys in did.json.
func publishedKeys(t *testing.T, s *handlerstest.AwardSite, b *handlerstest.Browser) openbadge.Keys {
	t.Helper()
	keys := openbadge.Keys{Site: s.URL}
	doc := handlerstest.Read[struct {
		VerificationMethod []struct {
			Type         string
			PublicKeyJwk openbadge.JWK `json:"publicKeyJwk"`
		} `json:"verificationMethod"`
	}](t, b.Get("/.well-known/did.json"), http.StatusOK)
	for _, m := range doc.VerificationMethod {
		if m.Type == "JsonWebKey" {
			keys.Public = append(keys.Public, unjwk(t, m.PublicKeyJwk))
		}
	}
	return keys
}

func TestABadgeFromGrantToRevocation(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.Browser(t)
	path := badge(t, s, "ada", "smith", 2)
	b.Get(path).Is(t, http.StatusOK, "Smith: Steel", "Two of them.", `href="/u/ada"`, "Valid.", "by Laurel at laurel.test", "does not use https")

	for _, kind := range []string{".png", ".svg", ".jwt"} {
		a := b.Get(path+kind).Is(t, http.StatusOK)
		jwt, err := openbadge.Unbake([]byte(a.Text))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		c, err := openbadge.Verify(jwt, publishedKeys(t, s, b), s.Time)
		if err != nil || c.ID != s.URL+path || c.Name != "Smith: Steel" || c.Subject.ID != s.URL+"/u/ada" {
			t.Fatalf("%s: %+v, %v", kind, c, err)
		}
		if revokedBit(t, s, b, c) {
			t.Errorf("%s: revoked while it is held", kind)
		}
		b.Get(path+kind, "If-None-Match", a.Header.Get("ETag")).Is(t, http.StatusNotModified)
		sendsFile(b, path+kind, a.Text).Is(t, http.StatusOK, "Valid.", "Smith: Steel", ">ada<", `href="`+path+`"`)
	}
	jwt := b.Get(path + ".jwt").Text
	b.Post("/badges/verify", "badge", " "+jwt+"\n").Is(t, http.StatusOK, "Valid.")
	if a := b.Get(path, "Accept", "application/json").Is(t, http.StatusOK); a.Text != b.Get(path+".json").Text || !json.Valid([]byte(a.Text)) {
		t.Errorf("the credential is not the same by Accept and by its ending: %s", a.Text)
	}

	s.Send(t, review("2", "ada", "deleted", 2, s.Time)) // Iron stays.
	b.Get(path).Is(t, http.StatusOK, "Revoked", "progress fell to 1 of 2")
	b.Post("/badges/verify", "badge", jwt).Is(t, http.StatusOK, "Revoked", "Unchanged")
	c, err := openbadge.Verify(jwt, publishedKeys(t, s, b), s.Time)
	if err != nil || !revokedBit(t, s, b, c) {
		t.Errorf("its bit is not set (%v)", err)
	}
	if a := b.Get(path + ".jwt"); a.Text != jwt {
		t.Error("the badge itself changed when it was revoked")
	}
	b.Get(badge(t, s, "ada", "smith", 1)).Is(t, http.StatusOK, "Smith: Iron", "Valid.")

	s.Send(t, review("3", "ada", "active", 1, s.Time))
	again := badge(t, s, "ada", "smith", 2)
	if again == path {
		t.Fatal("what was won again has the old badge")
	}
	b.Get(again).Is(t, http.StatusOK, "Valid.")
	b.Get(path).Is(t, http.StatusOK, "Revoked")
	next, err := openbadge.Verify(b.Get(again+".jwt").Text, publishedKeys(t, s, b), s.Time)
	if err != nil || next.Status.Index == c.Status.Index || revokedBit(t, s, b, next) || !revokedBit(t, s, b, c) {
		t.Errorf("place %s after %s, %v", next.Status.Index, c.Status.Index, err)
	}
}

// An older item moves the date of a level: its badge is made anew, and the old one says so.
func TestABadgeIsSuperseded(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.Browser(t)
	old, steel := badge(t, s, "ada", "smith", 1), badge(t, s, "ada", "smith", 2)
	jwt, contents := b.Get(old+".jwt").Text, b.Get(old+".json").Text
	earlier := s.Time.AddDate(0, 0, -40)
	s.Send(t, review("0", "ada", "active", 1, earlier))
	current := badge(t, s, "ada", "smith", 1)
	if current == old || badge(t, s, "ada", "smith", 2) != steel {
		t.Fatalf("%s became %s; the other level's is %s", old, current, badge(t, s, "ada", "smith", 2))
	}
	day := earlier.Add(-time.Hour).Format("2 January 2006")
	b.Get(current).Is(t, http.StatusOK, "Valid.", day)
	a := b.Get(old).Is(t, http.StatusOK, "Superseded", `href="`+current+`"`, "says "+day, s.Time.Format("2 January 2006"))
	if got, want := a.Header.Get("Link"), "<"+s.URL+current+`>; rel="successor-version"`; got != want {
		t.Errorf("Link is %s, want %s", got, want)
	}
	if strings.Contains(a.Text, "Valid.") || b.Get(old+".jwt").Text != jwt || b.Get(old+".json").Text != contents {
		t.Error("the old badge is called valid, or its file is another one now")
	}
	a = b.Post("/badges/verify", "badge", jwt).Is(t, http.StatusOK, "Superseded", "Unchanged", `href="`+current+`"`)
	if strings.Contains(a.Text, "Valid.") {
		t.Error("a superseded badge is verified as valid")
	}
	was, err := openbadge.Verify(jwt, publishedKeys(t, s, b), s.Time)
	if err != nil || !revokedBit(t, s, b, was) {
		t.Errorf("an old file: %v; its bit must be set", err)
	}
	now, err := openbadge.Verify(b.Get(current+".jwt").Text, publishedKeys(t, s, b), s.Time)
	if err != nil || revokedBit(t, s, b, now) || !now.ValidFrom.Equal(earlier.Add(-time.Hour).Truncate(time.Second)) || now.ID != s.URL+current {
		t.Errorf("the current one: %+v, %v", now, err)
	}
	verifiesWithNode(t, b.Get("/.well-known/did.json").Text, contents, b.Get(current+".json").Text)
}

// verifiesWithNode checks proofs with the script that shares nothing with Laurel.
func verifiesWithNode(t *testing.T, did string, badges ...string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("not verified independently: there is no node")
		return
	}
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, badge := range badges {
		out, err := exec.CommandContext(t.Context(), node, "../../models/badges/openbadge/testdata/verify.mjs", write("badge.json", badge), write("did.json", did)).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "verified" {
			t.Errorf("%v: %s", err, out)
		}
	}
}

func TestABadgeOfAMemberWhoLeft(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.Browser(t)
	lost, held := badge(t, s, "ada", "smith", 2), badge(t, s, "ada", "smith", 1)
	old, jwt := b.Get(lost+".jwt").Text, b.Get(held+".jwt").Text
	s.Send(t, review("2", "ada", "deleted", 2, s.Time))
	ada, err := members.ByName(t.Context(), s.DB.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	if err := accounts.Delete(t.Context(), s.DB.DB, ada.ID); err != nil {
		t.Fatal(err)
	}
	b.Get(held).Is(t, http.StatusNotFound)
	b.Post("/badges/verify", "badge", jwt).Is(t, http.StatusOK, "Valid.", "has since left")
	b.Post("/badges/verify", "badge", old).Is(t, http.StatusOK, "Revoked", "has since left")
	c, err := openbadge.Verify(old, publishedKeys(t, s, b), s.Time)
	if err != nil || !revokedBit(t, s, b, c) {
		t.Errorf("the bit of a deleted member's badge is gone (%v)", err)
	}
}

func TestWhoSeesABadge(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t)
	s.Member(t, "ann", members.RoleMember)
	s.Member(t, "eve", members.RoleMember)
	s.Activate(t, "smith", smith)
	s.Boss.Call("POST", "/admin/members/ann/awards/smith/grant", `{"note": "for all she did"}`).Is(t, http.StatusOK)
	path := badge(t, s, "ann", "smith", 2)
	visitor, ann, eve := s.Browser(t), s.SignedIn(t, "ann"), s.SignedIn(t, "eve")
	for _, tt := range []struct {
		name, path, body string
		public           bool
	}{
		{"active", "", "", true},
		{"paused", "/admin/awards/smith/pause", "", true},
		{"retired", "/admin/awards/smith/retire", "", true},
		{"secret", "/admin/awards/smith", `{"secret": true}`, false},
		{"hidden", "/admin/awards/smith/hide", "", false},
		{"banned", "/admin/members/ann/ban", `{"note": "cheated"}`, false},
	} {
		if tt.path != "" {
			method := http.MethodPost
			if tt.name == "secret" {
				method = http.MethodPatch
			}
			if a := s.Boss.Call(method, tt.path, tt.body); a.StatusCode >= 300 {
				t.Fatalf("%s: %d %s", tt.name, a.StatusCode, a.Text)
			}
		}
		want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[tt.public]
		for _, kind := range append(handlers.BadgeFiles, "") {
			for who, b := range map[string]*handlerstest.Browser{"a visitor": visitor, "another member": eve} {
				if got := b.Get(path + kind).StatusCode; got != want {
					t.Errorf("%s: %s gets %d for %q, want %d", tt.name, who, got, kind, want)
				}
			}
			a := ann.Get(path + kind)
			if a.Is(t, http.StatusOK); strings.Contains(a.Header.Get("Cache-Control"), "public") {
				t.Errorf("%s: what ann alone may see is kept by all", tt.name)
			}
		}
		if got := strings.Contains(ann.Get(path).Text, "Only you"); got == tt.public {
			t.Errorf("%s: the page says that only she sees it: %t", tt.name, got)
		}
	}
}
