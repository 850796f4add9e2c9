package awards_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
)

// The seed's own words.
const (
	seedFilters  = `[ { "name":"SourceFilter", "config":{ "sources":["reviews"] } }, { "name": "ReviewsLengthFilter", "config": { "allowed_length": 100 } } ]`
	seedRule     = `{"name": "ReviewUniqueByObjectRule","config":{}}`
	seedStrategy = `{ "goal": 15, "operation": "sum", "strategy": [ { "goal": 5, "operation": "sum", "strategy": [ { "objective_id": "photo" }, { "objective_id": "reviews" } ] }, { "goal": 10, "operation": "sum", "strategy": [ { "objective_id": "navi", "normalization_factor": 0.001 } ] } ] }`
)

func seedAward(strategy string) string {
	return `{"title":"Explorer","permanence":"live","objectives":[{"id":"reviews","filters":` + seedFilters + `,"rule":` + seedRule + `},
		{"id":"photo","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
		{"id":"navi","filters":[{"name":"SourceFilter","config":{"sources":["navi"]}}],"rule":{"name":"SumRule","config":{"fact":"metres"}}}],
		"strategy":` + strategy + `}`
}

// counted are events of so many photos, reviews and metres.
func counted(member string, photos, reviews, metres int) (lines []string) {
	for i := range photos {
		lines = append(lines, fmt.Sprintf(`{"source":"photo","id":"%s-p%d","item":"%s-p%d","seq":1,"member":"%s","type":"photo","status":"active","at":"2026-11-01T12:%02d:00Z"}`, member, i, member, i, member, i%60))
	}
	for i := range reviews {
		lines = append(lines, fmt.Sprintf(`{"source":"reviews","id":"%s-r%d","item":"%s-r%d","seq":1,"member":"%s","type":"review","object":"place %d","status":"active","at":"2026-11-01T13:%02d:00Z","facts":{"text":"%s"}}`,
			member, i, member, i, member, i, i%60, strings.Repeat("ж", 101)))
	}
	if metres > 0 {
		lines = append(lines, fmt.Sprintf(`{"source":"navi","id":"%s-n","member":"%s","type":"trip","at":"2026-11-01T14:00:00Z","facts":{"metres":%d}}`, member, member, metres))
	}
	return lines
}

func TestAPIAwardsTheSeed(t *testing.T) {
	t.Parallel()
	if text, err := os.ReadFile("../../../shared/seeds/awards.txt"); err == nil {
		for _, words := range []string{seedFilters, seedRule, seedStrategy} {
			if !strings.Contains(string(text), words) {
				t.Errorf("the seed does not say %s", words)
			}
		}
	}
	vectors := []struct {
		award                   string
		photos, reviews, metres int
		want                    string
	}{
		{"three", 2, 1, 0, "granted 3 of 3"}, // "3 reviews or 3 photos. The user has 1 review and 2 photos. Answer: 3"
		{"three", 3, 3, 0, "granted 3 of 3"},
		{"three", 2, 0, 0, "in_progress 2 of 3"},
		{"both", 9, 3, 0, "in_progress 8 of 10"},
		{"both", 5, 5, 0, "granted 10 of 10"},
		{"nested", 3, 1, 4321, "in_progress 8.321 of 15"},
		{"nested", 9, 9, 0, "in_progress 5 of 15"},
		{"nested", 2, 3, 9999, "in_progress 14.999 of 15"},
		{"nested", 2, 3, 10000, "granted 15 of 15"},
		{"nested", 100, 0, 1_000_000, "granted 15 of 15"},
		{"nested", 0, 0, 0, "not_started 0 of 15"},
	}
	var names []string
	for i := range vectors {
		names = append(names, fmt.Sprint("m", i))
	}
	s := handlerstest.NewAwardSite(t, names...)
	s.Activate(t, "three", seedAward(`{"goal":3,"operation":"sum","strategy":[{"objective_id":"reviews"},{"objective_id":"photo"}]}`))
	s.Activate(t, "both", seedAward(`{"goal":10,"strategy":[{"objective_id":"photo","goal":5},{"objective_id":"reviews","goal":5}]}`))
	s.Activate(t, "nested", seedAward(seedStrategy))
	var lines []string
	for i, v := range vectors {
		lines = append(lines, counted(names[i], v.photos, v.reviews, v.metres)...)
	}
	s.Send(t, lines...)
	for i, v := range vectors {
		s.Want(t, names[i], v.award, v.want)
	}
	if got := s.Want(t, "m7", "nested", "in_progress 14.999 of 15"); len(got.Missing) != 1 || got.Missing[0] != "navi: 1 more (now 9999) would be enough" {
		t.Errorf("missing %q", got.Missing)
	}
	if got := s.Want(t, "m8", "nested", "granted 15 of 15"); got.GrantedAt == nil || got.GrantedAt.Format(time.RFC3339) != "2026-11-01T14:00:00Z" || len(got.Missing) != 0 {
		t.Errorf("granted at %v, missing %q; want when the goal was reached", got.GrantedAt, got.Missing)
	}
}

// A photo that is blocked takes the progress back, with its counters.
func TestAPIABlockedPhotoTakesProgressBack(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	s.Activate(t, "three", seedAward(`{"goal":3,"strategy":[{"objective_id":"reviews"},{"objective_id":"photo"}]}`))
	photo := func(seq int, status string) string {
		return fmt.Sprintf(`{"source":"photo","id":"ada-p0.%d","item":"ada-p0","seq":%d,"member":"ada","type":"photo","status":"%s","at":"2026-11-02T12:00:00Z"}`, seq, seq, status)
	}
	s.Send(t, counted("ada", 2, 1, 0)...)
	visitor := handlerstest.Program{T: t, Site: s.Site}
	before := visitor.Call("GET", "/members/ada/awards", "")
	if again := visitor.With("GET", "/members/ada/awards", "", "If-None-Match", before.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: %d", again.StatusCode)
	}
	s.Want(t, "ada", "three", "granted 3 of 3")
	s.Send(t, photo(2, "blocked"))
	if after := visitor.With("GET", "/members/ada/awards", "", "If-None-Match", before.Header.Get("ETag")); after.StatusCode != http.StatusOK {
		t.Errorf("asked after a change: %d", after.StatusCode)
	}
	got := s.Want(t, "ada", "three", "revoked 2 of 3")
	for _, o := range got.Objectives {
		if o.ID == "photo" && (o.Progress != "1" || o.Counters["active"] != "1" || o.Counters["blocked"] != "1") {
			t.Errorf("photos %+v", o)
		}
	}
	if len(got.Grants) != 1 || got.Grants[0].RevokedAt == nil || got.Grants[0].RevokedReason != "progress fell to 2 of 3" || got.GrantedAt != nil || got.Level != 0 {
		t.Errorf("grants %+v", got.Grants)
	}
	s.Send(t, photo(3, "active"), photo(1, "hidden"))
	s.Want(t, "ada", "three", "granted 3 of 3")
}

// All errors are reported together, each with its path.
func TestAPIAwardsReportAllMistakes(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t)
	a := s.Boss.Call("PUT", "/admin/awards/x", strings.NewReplacer("allowed_length", "allow_length", "CountRule", "CuontRule", `"goal": 15`, `"goal": 16`).Replace(seedAward(seedStrategy)))
	a.Refused(t, http.StatusUnprocessableEntity, "objectives[0].filters[1].config.allow_length")
	for _, words := range []string{
		`"message":"The document has an error at objectives[0].filters[1].config.allow_length: is unknown (known: allowed_length). More mistakes: 3."`,
		`{"path":"objectives[0].filters[1].config.allowed_length","text":"is missing"}`, `{"path":"objectives[1].rule.name","text":"no rule is named \"CuontRule\" (known: `,
		`{"path":"strategy.goal","text":"is 16 and cannot be reached: the parts below it are worth at most 15"}`,
	} {
		if !strings.Contains(a.Text, words) {
			t.Errorf("%s\ndoes not say %s", a.Text, words)
		}
	}
	s.Boss.Call("PUT", "/admin/awards/x", "{").Is(t, http.StatusUnprocessableEntity, `"message":"The document ends too early (line 1, column 2)."`, `"field":"document"`)
}
