package openbadge

import (
	"crypto/ed25519"
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const site = "https://laurel.example"

func grant() Grant {
	return Grant{
		Site: site, Issuer: "Laurel of the chess club",
		ID: site + "/badges/7f3a", GrantedAt: noon.Add(123 * time.Millisecond).In(time.FixedZone("", 3600)), Period: "2026-11", Level: "Gold",
		Award: site + "/awards/explorer", Slug: "explorer", Title: "Explorer", Text: "Five reviews & ten kilometres.", Version: "ab12", Image: site + "/awards/explorer.svg",
		Member: "ada", DisplayName: "Ada <Lovelace>", Profile: site + "/u/ada",
		List: site + "/badges/lists/1", Index: 94567,
	}
}

func keysOf(t testing.TB) Keys {
	return Keys{site, []ed25519.PublicKey{rfcKey(t).Public().(ed25519.PublicKey)}}
}

func signed(t testing.TB, g Grant) (string, Credential) {
	t.Helper()
	c, err := g.Credential()
	if err != nil {
		t.Fatal(err)
	}
	jwt, err := Sign(rfcKey(t), c)
	if err != nil {
		t.Fatal(err)
	}
	return jwt, c
}

func TestWhatIsSignedIsRead(t *testing.T) {
	bare := grant()
	bare.Period, bare.Level, bare.Text, bare.Version, bare.Image, bare.DisplayName = "", "", "", "", "", ""
	for _, g := range []Grant{grant(), bare} {
		jwt, want := signed(t, g)
		got, err := Verify("\n"+jwt+"\n", keysOf(t), noon)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v\nwant %+v", got, err, want)
		}
		if bit, err := got.Status.Bit(); err != nil || bit != 94567 {
			t.Errorf("place %d, %v", bit, err)
		}
		if again, _ := signed(t, g); again != jwt {
			t.Error("the same grant gave another badge")
		}
	}
}

// The members that the specification names, as a reader of another make sees
// them.
func TestPayload(t *testing.T) {
	jwt, _ := signed(t, grant())
	tok, err := parse(jwt)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(tok.payload, &got); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"iss": "did:web:laurel.example", "jti": "https://laurel.example/badges/7f3a", "sub": "https://laurel.example/u/ada", "nbf": 1795262400,
		"@context": ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
			"https://purl.imsglobal.org/spec/ob/v3p0/extensions.json"],
		"id": "https://laurel.example/badges/7f3a", "type": ["VerifiableCredential", "OpenBadgeCredential"], "name": "Explorer: Gold",
		"issuer": {"id": "did:web:laurel.example", "type": ["Profile"], "name": "Laurel of the chess club", "url": "https://laurel.example"},
		"validFrom": "2026-11-21T12:00:00Z", "awardedDate": "2026-11-21T12:00:00Z",
		"credentialSubject": {"id": "https://laurel.example/u/ada", "type": ["AchievementSubject"], "term": "2026-11",
			"identifier": [{"type": "IdentityObject", "hashed": false, "identityHash": "ada", "identityType": "userName"},
				{"type": "IdentityObject", "hashed": false, "identityHash": "Ada <Lovelace>", "identityType": "name"}],
			"result": [{"type": ["Result"], "resultDescription": "https://laurel.example/awards/explorer#level", "value": "Gold"}],
			"achievement": {"id": "https://laurel.example/awards/explorer", "type": ["Achievement"], "achievementType": "Award", "humanCode": "explorer",
				"name": "Explorer", "description": "Five reviews & ten kilometres.", "version": "ab12",
				"criteria": {"id": "https://laurel.example/awards/explorer", "narrative": "Five reviews & ten kilometres."},
				"image": {"id": "https://laurel.example/awards/explorer.svg", "type": "Image", "caption": "Explorer"},
				"resultDescription": [{"id": "https://laurel.example/awards/explorer#level", "type": ["ResultDescription"], "name": "Level", "resultType": "PerformanceLevel"}]}},
		"credentialStatus": {"id": "https://laurel.example/badges/lists/1#94567", "type": "BitstringStatusListEntry", "statusPurpose": "revocation",
			"statusListIndex": "94567", "statusListCredential": "https://laurel.example/badges/lists/1"},
		"credentialSchema": [{"id": "https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json", "type": "1EdTechJsonSchemaValidator2019"}]
	}`), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s", tok.payload)
	}
	if h := tok.header; h.Alg != "EdDSA" || h.Typ != "JWT" || h.Kid != "did:web:laurel.example#"+rfcThumb || h.JWK == nil || h.JWK.X != rfcPublic {
		t.Errorf("header %+v", h)
	}
}

func TestGrantsThatCannotBeWritten(t *testing.T) {
	for _, tt := range []struct {
		want   string
		change func(*Grant)
	}{
		{"not the address of a site", func(g *Grant) { g.Site = "laurel" }},
		{"issuer is missing", func(g *Grant) { g.Issuer = " " }},
		{"title is missing", func(g *Grant) { g.Title = "" }},
		{"member is missing", func(g *Grant) { g.Member = "" }},
		{"id: \"/badges/1\" is not a full URL", func(g *Grant) { g.ID = "/badges/1" }},
		{"list:", func(g *Grant) { g.List = "" }},
		{"image:", func(g *Grant) { g.Image = "javascript:alert(1)" }},
		{"granted at", func(g *Grant) { g.GrantedAt = time.Time{} }},
		{"granted at", func(g *Grant) { g.GrantedAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }},
		{"index 131072", func(g *Grant) { g.Index = ListSize }},
		{"index -1", func(g *Grant) { g.Index = -1 }},
	} {
		g := grant()
		tt.change(&g)
		if _, err := g.Credential(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// forge signs a header and a payload that Sign would not have made.
func forge(t *testing.T, key ed25519.PrivateKey, head string, change map[string]any) string {
	t.Helper()
	jwt, _ := signed(t, grant())
	tok, err := parse(jwt)
	if err != nil {
		t.Fatal(err)
	}
	payload := map[string]any{}
	if err := json.Unmarshal(tok.payload, &payload); err != nil {
		t.Fatal(err)
	}
	maps.Copy(payload, change)
	maps.DeleteFunc(payload, func(_ string, v any) bool { return v == nil })
	body, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	text := base64url.EncodeToString([]byte(head)) + "." + base64url.EncodeToString(body)
	return text + "." + base64url.EncodeToString(ed25519.Sign(key, []byte(text)))
}

func TestVerifyRefuses(t *testing.T) {
	const kid = `"kid":"did:web:laurel.example#` + rfcThumb + `"`
	const good = `{"alg":"EdDSA","typ":"JWT",` + kid + `}`
	stranger := ed25519.NewKeyFromSeed(make([]byte, 32))
	with := func(name string, value any) map[string]any { return map[string]any{name: value} }
	for _, tt := range []struct {
		name, head string
		change     map[string]any
		want       string
	}{
		{"nothing is wrong", good, nil, ""},
		{"no algorithm", `{"typ":"JWT",` + kid + `}`, nil, "EdDSA only"},
		{"none", `{"alg":"none","typ":"JWT",` + kid + `}`, nil, `signed with "none"`},
		{"HS256", `{"alg":"HS256","typ":"JWT",` + kid + `}`, nil, `signed with "HS256"`},
		{"another case", `{"alg":"eddsa","typ":"JWT",` + kid + `}`, nil, `signed with "eddsa"`},
		{"critical extension", `{"alg":"EdDSA","typ":"JWT","crit":["exp"],` + kid + `}`, nil, "crit"},
		{"a list's type", `{"alg":"EdDSA","typ":"vc+jwt",` + kid + `}`, nil, "of the type"},
		{"no key id", `{"alg":"EdDSA","typ":"JWT"}`, nil, "another site"},
		{"another site's", `{"alg":"EdDSA","typ":"JWT","kid":"did:web:other.example#` + rfcThumb + `"}`, nil, "another site"},
		{"an unknown key", `{"alg":"EdDSA","typ":"JWT","kid":"did:web:laurel.example#x"}`, nil, "no longer trusts"},
		{"a key of its own", `{"alg":"EdDSA","typ":"JWT",` + kid + `,"jwk":{"kty":"OKP","crv":"Ed25519","x":"AAAA"}}`, nil, "a different key"},
		{"a form of its own", good, with("issuer", 3), "right form"},
		{"an old badge", good, with("@context", []string{"https://w3id.org/openbadges/v2"}), "@context"},
		{"another thing", good, with("type", []string{"VerifiableCredential"}), "wrong type"},
		{"issued by another", good, with("issuer", with("id", "did:web:other.example")), "differ"},
		{"no name", good, with("name", nil), "lacks its id"},
		{"no subject", good, with("credentialSubject", with("id", "https://laurel.example/u/ada")), "lacks its achievement"},
		{"no status", good, with("credentialStatus", nil), "revocation"},
		{"another iss", good, with("iss", "did:web:other.example"), "iss"},
		{"another jti", good, with("jti", "https://laurel.example/badges/1"), "jti"},
		{"another sub", good, with("sub", "https://laurel.example/u/bob"), "sub"},
		{"another nbf", good, with("nbf", 1), "nbf"},
		{"no nbf", good, with("nbf", nil), "nbf"},
		{"exp alone", good, with("exp", 1), "exp"},
		{"validUntil alone", good, with("validUntil", "2027-01-01T00:00:00Z"), "exp"},
		{"claims of another form", good, with("exp", "soon"), "claims"},
		{"over", good, map[string]any{"exp": noon.Unix(), "validUntil": noon}, "no longer valid since 2026-11-21T12:00:00Z"},
		{"not over", good, map[string]any{"exp": noon.Unix() + 1, "validUntil": noon.Add(time.Second)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Verify(forge(t, rfcKey(t), tt.head, tt.change), keysOf(t), noon)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if _, err := Verify(forge(t, stranger, tt.head, tt.change), keysOf(t), noon); err == nil {
				t.Error("passes with the signature of a stranger")
			}
		})
	}
	jwt, _ := signed(t, grant())
	if _, err := Verify(jwt, keysOf(t), noon.Add(-time.Second)); err == nil || !strings.Contains(err.Error(), "not valid before 2026-11-21T12:00:00Z") {
		t.Errorf("a second early: %v", err)
	}
	if _, err := Verify(jwt[:len(jwt)-86]+strings.Repeat("A", 86), keysOf(t), noon); err == nil || !strings.Contains(err.Error(), "signature is wrong") {
		t.Errorf("an empty signature: %v", err)
	}
}

func TestOldKeysStayValid(t *testing.T) {
	jwt, _ := signed(t, grant())
	newer := ed25519.NewKeyFromSeed(make([]byte, 32)).Public().(ed25519.PublicKey)
	if _, err := Verify(jwt, Keys{site, append([]ed25519.PublicKey{newer}, keysOf(t).Public...)}, noon); err != nil {
		t.Errorf("after a new key: %v", err)
	}
	if _, err := Verify(jwt, Keys{site, []ed25519.PublicKey{newer}}, noon); err == nil {
		t.Error("passes after its key was dropped")
	}
}
