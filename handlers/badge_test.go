package handlers

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/models/accounts"
	"laurel/models/badges/openbadge"
	"laurel/models/members"
)

const smith = `{"title": "Smith", "text": "Two of them.", "permanence": "live",
	"objectives": [{"id": "n", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}], "rule": {"name": "CountRule"}}],
	"strategy": {"goal": 2, "strategy": [{"objective_id": "n"}]}, "levels": [{"title": "Iron", "goal": 1}, {"title": "Steel", "goal": 2}]}`

// smiths is a site where ada has both levels of an award.
func smiths(t *testing.T) *awardSite {
	t.Helper()
	s := newAwardSite(t, "ada", "bob")
	s.runs(t, "smith", smith)
	s.sends(t, review("1", "ada", "active", 1, s.now), review("2", "ada", "active", 1, s.now))
	s.wants(t, "ada", "smith", "granted 2 of 2")
	return s
}

// review is an event about an item with a status.
func review(item, member, status string, seq int, at time.Time) string {
	line, _ := json.Marshal(map[string]any{"source": "reviews", "id": item + status + member, "item": item, "seq": seq, "member": member, "type": "review", "status": status, "at": at.Add(-time.Hour)})
	return string(line)
}

// badge is the address of a member's newest badge of a level, without the site's.
func badge(t *testing.T, s *awardSite, member, slug string, level int) string {
	t.Helper()
	for _, g := range s.standing(t, s.boss, member, slug).Grants {
		if g.Level == level && g.Badge != nil {
			return strings.TrimPrefix(*g.Badge, s.URL)
		}
	}
	t.Fatalf("%s has no badge of %s", member, slug)
	return ""
}

// revokedBit says whether the list that a badge names has it revoked, as others look it up.
func revokedBit(t *testing.T, s *awardSite, b *browser, c openbadge.Credential) bool {
	t.Helper()
	a := b.get(strings.TrimPrefix(c.Status.List, s.URL)).is(t, http.StatusOK)
	if a.Header.Get("Content-Type") != "application/vc+jwt" || a.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("the list is sent as %v", a.Header)
	}
	list, err := openbadge.VerifyList(a.body, publishedKeys(t, s, b), c.Status.List, s.now)
	if err != nil {
		t.Fatal(err)
	}
	bit, err := c.Status.Bit()
	if err != nil {
		t.Fatal(err)
	}
	revoked, err := list.Revoked(bit)
	if err != nil {
		t.Fatal(err)
	}
	return revoked
}

// publishedKeys are the keys in did.json.
func publishedKeys(t *testing.T, s *awardSite, b *browser) openbadge.Keys {
	t.Helper()
	keys := openbadge.Keys{Site: s.URL}
	doc := read[struct {
		VerificationMethod []struct {
			PublicKeyJwk openbadge.JWK `json:"publicKeyJwk"`
		} `json:"verificationMethod"`
	}](t, b.get("/.well-known/did.json"), http.StatusOK)
	for _, m := range doc.VerificationMethod {
		keys.Public = append(keys.Public, unjwk(t, m.PublicKeyJwk))
	}
	return keys
}

func TestABadgeFromGrantToRevocation(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.browser(t)
	path := badge(t, s, "ada", "smith", 2)
	b.get(path).is(t, http.StatusOK, "Smith: Steel", "Two of them.", `href="/u/ada"`, "Valid.", "by Laurel at laurel.test", "does not use https")

	for _, kind := range []string{".png", ".svg", ".jwt"} {
		a := b.get(path+kind).is(t, http.StatusOK)
		jwt, err := openbadge.Unbake([]byte(a.body))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		c, err := openbadge.Verify(jwt, publishedKeys(t, s, b), s.now)
		if err != nil || c.ID != s.URL+path || c.Name != "Smith: Steel" || c.Subject.ID != s.URL+"/u/ada" {
			t.Fatalf("%s: %+v, %v", kind, c, err)
		}
		if revokedBit(t, s, b, c) {
			t.Errorf("%s: revoked while it is held", kind)
		}
		b.get(path+kind, "If-None-Match", a.Header.Get("ETag")).is(t, http.StatusNotModified)
		sendsFile(b, path+kind, a.body).is(t, http.StatusOK, "Valid.", "Smith: Steel", ">ada<", `href="`+path+`"`)
	}
	jwt := b.get(path + ".jwt").body
	b.post("/badges/verify", "badge", " "+jwt+"\n").is(t, http.StatusOK, "Valid.")
	if a := b.get(path, "Accept", "application/json").is(t, http.StatusOK); a.body != b.get(path+".json").body || !json.Valid([]byte(a.body)) {
		t.Errorf("the credential is not the same by Accept and by its ending: %s", a.body)
	}

	s.sends(t, review("2", "ada", "deleted", 2, s.now)) // Iron stays.
	b.get(path).is(t, http.StatusOK, "Revoked", "progress fell to 1 of 2")
	b.post("/badges/verify", "badge", jwt).is(t, http.StatusOK, "Revoked", "Unchanged")
	c, err := openbadge.Verify(jwt, publishedKeys(t, s, b), s.now)
	if err != nil || !revokedBit(t, s, b, c) {
		t.Errorf("its bit is not set (%v)", err)
	}
	if a := b.get(path + ".jwt"); a.body != jwt {
		t.Error("the badge itself changed when it was revoked")
	}
	b.get(badge(t, s, "ada", "smith", 1)).is(t, http.StatusOK, "Smith: Iron", "Valid.")

	s.sends(t, review("3", "ada", "active", 1, s.now))
	again := badge(t, s, "ada", "smith", 2)
	if again == path {
		t.Fatal("what was won again has the old badge")
	}
	b.get(again).is(t, http.StatusOK, "Valid.")
	b.get(path).is(t, http.StatusOK, "Revoked")
	next, err := openbadge.Verify(b.get(again+".jwt").body, publishedKeys(t, s, b), s.now)
	if err != nil || next.Status.Index == c.Status.Index || revokedBit(t, s, b, next) || !revokedBit(t, s, b, c) {
		t.Errorf("place %s after %s, %v", next.Status.Index, c.Status.Index, err)
	}
}

func TestABadgeOfAMemberWhoLeft(t *testing.T) {
	t.Parallel()
	s := smiths(t)
	b := s.browser(t)
	lost, held := badge(t, s, "ada", "smith", 2), badge(t, s, "ada", "smith", 1)
	old, jwt := b.get(lost+".jwt").body, b.get(held+".jwt").body
	s.sends(t, review("2", "ada", "deleted", 2, s.now))
	ada, err := members.ByName(t.Context(), s.DB.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	if err := accounts.Delete(t.Context(), s.DB.DB, ada.ID); err != nil {
		t.Fatal(err)
	}
	b.get(held).is(t, http.StatusNotFound)
	b.post("/badges/verify", "badge", jwt).is(t, http.StatusOK, "Valid.", "has since left")
	b.post("/badges/verify", "badge", old).is(t, http.StatusOK, "Revoked", "has since left")
	c, err := openbadge.Verify(old, publishedKeys(t, s, b), s.now)
	if err != nil || !revokedBit(t, s, b, c) {
		t.Errorf("the bit of a deleted member's badge is gone (%v)", err)
	}
}

func TestWhoSeesABadge(t *testing.T) {
	t.Parallel()
	s := newAwardSite(t)
	s.member(t, "ann", members.RoleMember)
	s.member(t, "eve", members.RoleMember)
	s.runs(t, "smith", smith)
	s.boss.call("POST", "/admin/members/ann/awards/smith/grant", `{"note": "for all she did"}`).is(t, http.StatusOK)
	path := badge(t, s, "ann", "smith", 2)
	visitor, ann, eve := s.browser(t), s.signedIn(t, "ann"), s.signedIn(t, "eve")
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
			if a := s.boss.call(method, tt.path, tt.body); a.StatusCode >= 300 {
				t.Fatalf("%s: %d %s", tt.name, a.StatusCode, a.body)
			}
		}
		want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[tt.public]
		for _, kind := range append(badgeFiles, "") {
			for who, b := range map[string]*browser{"a visitor": visitor, "another member": eve} {
				if got := b.get(path + kind).StatusCode; got != want {
					t.Errorf("%s: %s gets %d for %q, want %d", tt.name, who, got, kind, want)
				}
			}
			a := ann.get(path + kind)
			if a.is(t, http.StatusOK); strings.Contains(a.Header.Get("Cache-Control"), "public") {
				t.Errorf("%s: what ann alone may see is kept by all", tt.name)
			}
		}
		if got := strings.Contains(ann.get(path).body, "Only you"); got == tt.public {
			t.Errorf("%s: the page says that only she sees it: %t", tt.name, got)
		}
	}
}
