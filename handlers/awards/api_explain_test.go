package awards_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	handlers "laurel/handlers/awards"
	"laurel/handlers/handlerstest"
)

type explanation struct {
	Why        []string
	Waiting    bool
	BannedAt   *string `json:"banned_at"`
	Standing   handlerstest.Standing
	Objectives []handlers.APITask
	Items      []struct {
		Source, Key, Status string
		Verdicts            []struct {
			Objective, Because string
			Filters            []handlers.APIFilterVerdict
			Contribution       *struct {
				Status, Cell string
				Amount       json.Number
			}
		}
	}
	NextItems string `json:"next_items"`
	Log       []struct {
		ID          int64
		Objective   string
		Key, Reason string
		Was, Became *struct {
			Status string
			Amount json.Number
		}
	}
	NextLog  string                 `json:"next_log"`
	GrantLog []handlers.APIGrantLog `json:"grant_log"`
	Bans     []handlers.APIBan
}

func explains(t *testing.T, s *handlerstest.AwardSite, member, slug, query string) explanation {
	t.Helper()
	return handlerstest.Read[explanation](t, s.Boss.Call("GET", "/admin/members/"+member+"/awards/"+slug+"/explain"+query, ""), http.StatusOK)
}

func TestAPIExplainAward(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	s.Activate(t, "nested", seedAward(seedStrategy))
	s.Send(t, counted("ada", 2, 1, 4321)...)
	short := `{"source":"reviews","id":"short","item":"short","seq":1,"member":"ada","type":"review","object":"x","status":"active","at":"2026-11-01T15:00:00Z","facts":{"length":100}}`
	stale := `{"source":"photo","id":"old","item":"ada-p0","seq":1,"member":"ada","type":"photo","status":"active","at":"2026-10-01T12:00:00Z"}`
	blocked := `{"source":"photo","id":"b","item":"ada-p0","seq":2,"member":"ada","type":"photo","status":"blocked","at":"2026-11-02T12:00:00Z"}`
	s.Send(t, short, blocked, stale)
	x := explains(t, s, "ada", "nested", "")
	want := []string{"Progress is 6.321 of 15.", "photo: 3 more (now 1) would help, but is not enough alone.", "photo: 1 with status blocked, which does not count."}
	for _, words := range want {
		if !strings.Contains(strings.Join(x.Why, "|"), words) {
			t.Errorf("why: %q, want %q in it", x.Why, words)
		}
	}
	verdicts := map[string]string{}
	for _, i := range x.Items {
		for _, v := range i.Verdicts {
			if verdicts[i.Key+" "+v.Objective] = v.Because; v.Contribution != nil {
				verdicts[i.Key+" "+v.Objective] += " " + v.Contribution.Status + v.Contribution.Amount.String()
			}
		}
	}
	for key, want := range map[string]string{
		"item:ada-p0 photo":   "it counts as blocked, which does not count blocked1",
		"item:ada-p1 photo":   "it counts active1",
		"item:ada-p1 reviews": `SourceFilter does not pass; it passes if the source is "reviews"`,
		"item:short reviews":  "ReviewsLengthFilter does not pass; it passes if the text has more than 100 characters",
		"event:ada-n navi":    "it counts active4321",
	} {
		if !strings.HasPrefix(verdicts[key], want[:min(len(want), 28)]) {
			t.Errorf("%s: %q, want %q", key, verdicts[key], want)
		}
	}
	var log []string
	for _, l := range x.Log {
		log = append(log, strings.TrimSpace(l.Objective+" "+l.Reason))
	}
	if got := strings.Join(log, ", "); !strings.Contains(got, "photo event") || !strings.Contains(got, "stale") || len(x.Log) != 6 {
		t.Errorf("log: %s", got)
	}
	if len(x.Objectives) != 3 || x.Objectives[0].ID != "reviews" || len(x.Objectives[0].Filters) != 2 {
		t.Errorf("objectives %+v", x.Objectives)
	}
	s.Boss.Call("GET", "/admin/members/nobody/awards/nested/explain", "").Refused(t, 404, "")
	s.Boss.Call("GET", "/admin/members/ada/awards/nothing/explain", "").Refused(t, 404, "")
	for query, field := range map[string]string{"limit=501": "limit", "items_cursor=x": "items_cursor", "log_cursor=x": "log_cursor", "log_cursor=WyJpdGVtcyIseyJBdCI6MX1d": "log_cursor"} {
		s.Boss.Call("GET", "/admin/members/ada/awards/nested/explain?"+query, "").Refused(t, 422, field)
	}
}

func TestAPIExplainInParts(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	s.Activate(t, "nested", seedAward(seedStrategy))
	s.Send(t, counted("ada", 7, 4, 10)...)
	items, lines := map[string]bool{}, map[int64]bool{}
	query := "?limit=5"
	for {
		x := explains(t, s, "ada", "nested", query)
		if len(x.Items) > 5 || len(x.Log) > 5 {
			t.Fatalf("%d items and %d lines", len(x.Items), len(x.Log))
		}
		for _, i := range x.Items {
			items[i.Key] = true
		}
		for _, l := range x.Log {
			lines[l.ID] = true
		}
		if x.NextItems == "" || x.NextLog == "" {
			break
		}
		query = fmt.Sprintf("?limit=5&items_cursor=%s&log_cursor=%s", x.NextItems, x.NextLog)
	}
	if len(items) != 12 || len(lines) != 12 {
		t.Errorf("%d items and %d lines, want 12 of each", len(items), len(lines))
	}
}

func TestAPIAwardsByHand(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	s.Activate(t, "one", onePhoto)
	grant, revoke := "/admin/members/ada/awards/one/grant", "/admin/members/ada/awards/one/revoke"
	for _, body := range []string{``, `{}`, `{"note":""}`} {
		s.Boss.Call("POST", grant, body).Refused(t, 422, "note")
		s.Boss.Call("POST", revoke, body).Refused(t, 422, "note")
	}
	s.Boss.Call("POST", revoke, `{"note":"n"}`).Refused(t, 422, "award")
	s.Boss.Call("POST", grant, `{"note":"n","level":2}`).Refused(t, 422, "level")
	s.Boss.Call("POST", grant, `{"note":"n","level":1e99}`).Refused(t, 422, "level")
	s.Boss.Call("POST", grant, `{"note":7}`).Refused(t, 422, "note")
	if got := handlerstest.Read[handlerstest.Standing](t, s.Boss.Call("POST", grant, `{"note":"for the party"}`), http.StatusOK); got.State != "granted" || len(got.Grants) != 1 || !got.Grants[0].ByHand || !got.Grants[0].Locked {
		t.Errorf("%+v", got)
	}
	s.Send(t, photoLine("a", ""), strings.Replace(strings.Replace(photoLine("a", ""), `"seq":1`, `"seq":2`, 1), `"id":"a"`, `"id":"a2"`, 1))
	s.Want(t, "ada", "one", "granted 1 of 1")
	if got := handlerstest.Read[handlerstest.Standing](t, s.Boss.Call("POST", revoke, `{"note":"the party is over"}`), http.StatusOK); got.State != "revoked" {
		t.Errorf("%+v", got)
	}
	s.Send(t, photoLine("b", ""))
	s.Want(t, "ada", "one", "revoked 1 of 1")
	x := explains(t, s, "ada", "one", "")
	if len(x.GrantLog) != 2 || x.GrantLog[0].Reason != "the party is over" || x.GrantLog[1].Author != "boss" ||
		!strings.Contains(strings.Join(x.Why, "|"), "Level 1 was taken by hand, so progress does not restore it: the party is over.") {
		t.Errorf("%+v\n%q", x.GrantLog, x.Why)
	}
	s.Boss.Call("POST", "/admin/members/ada/ban", `{"note":"robot"}`).Is(t, http.StatusOK)
	if x := explains(t, s, "ada", "one", ""); x.BannedAt == nil || len(x.Bans) != 1 || x.Bans[0].Note != "robot" || !strings.Contains(x.Why[0], "ada is banned") {
		t.Errorf("%+v", x.Why)
	}
	s.Boss.Call("POST", grant, `{"note":"n"}`).Refused(t, 422, "member")
	handlerstest.Read[awardRead](t, s.Boss.Call("PUT", "/admin/awards/two", onePhoto), http.StatusCreated)
	s.Boss.Call("POST", "/admin/members/boss/awards/two/grant", `{"note":"n"}`).Refused(t, 422, "award")
	s.Boss.Call("POST", "/admin/members/nobody/awards/one/grant", `{"note":"n"}`).Refused(t, 404, "")
	s.Boss.Call("POST", "/admin/members/ada/awards/three/grant", `{"note":"n"}`).Refused(t, 404, "")
	s.Boss.Call("GET", "/admin/members/ada/awards/two/explain", "").Is(t, http.StatusOK, "The award is draft, so nobody can earn it now.")
}

func TestAPIDryRun(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada", "bob")
	s.Send(t, counted("ada", 3, 0, 0)...)
	s.Send(t, counted("bob", 1, 0, 0)...)
	handlerstest.Read[awardRead](t, s.Boss.Call("PUT", "/admin/awards/two", strings.Replace(onePhoto, `"goal":1`, `"goal":2`, 1)), http.StatusCreated)
	got := handlerstest.Read[apiDryRunRead](t, s.Boss.Call("POST", "/admin/awards/two/dry-run", ""), http.StatusOK)
	if got.Version != 1 || got.Gained != 1 || got.Lost != 0 || got.Near != 1 || got.Holders != 1 || len(got.Samples) != 2 || got.Sampled {
		t.Errorf("%+v", got)
	}
	s.Boss.Call("POST", "/admin/awards/two/dry-run", `{"version":2}`).Refused(t, 422, "version")
	s.Want(t, "ada", "two", "  of ")
}

type apiDryRunRead struct {
	Version, Gained, Lost, Near, Holders int
	Sampled                              bool
	Samples                              []struct{ Member, Change string }
}
