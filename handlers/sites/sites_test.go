package sites_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/handlers/metrics"
	handlers "laurel/handlers/sites"
	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/notices"
	"laurel/models/retrieval"
)

// breaks lets looks at a site's accounts fail until its circuit is open.
func breaks(t *testing.T, s *handlerstest.Site, on string, accounts ...members.Member) {
	t.Helper()
	for i := range 3 {
		m := accounts[i%len(accounts)]
		due := modelstest.Take(t, s.DB.DB, m, on, s.Time)
		res := retrieval.Result{Outcome: pg.OutcomeParseError, Message: "page <not> understood", Requests: 1}
		if err := retrieval.Finish(t.Context(), s.DB.DB, due, res, retrieval.Rule{Rate: 1, Overlap: time.Hour}, s.Time); err != nil {
			t.Fatal(err)
		}
	}
}

func TestABrokenSiteIsNotified(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss := s.Member(t, "boss", members.RoleAdmin)
	ada, bob := s.Member(t, "ada", members.RoleMember), s.Member(t, "bob", members.RoleMember)
	for _, m := range []members.Member{ada, bob} {
		if err := accounts.SetHandles(t.Context(), s.DB.DB, s.BuiltIn, m.ID, map[string]string{"codeforces": m.Name + "_cf"}, s.Time); err != nil {
			t.Fatal(err)
		}
	}
	p := s.Program(t, ada)
	visitor := s.Browser(t)
	if page := visitor.Get("/").Is(t, 200); strings.Contains(page.Text, "has not answered") {
		t.Error("told while all is well")
	}
	s.Submits(t, ada, "codeforces", s.Time.Add(-time.Hour), "A AC")
	last := s.Time
	s.Time = s.Time.Add(3 * time.Hour)
	breaks(t, s, "codeforces", ada, bob)
	words := "Codeforces has not answered since " + last.Format("15:04") + " UTC. Newer submissions appear once it is back."
	for _, path := range []string{"/", "/awards", "/sites", "/u/ada"} {
		visitor.Get(path).Is(t, 200, words)
	}
	s.SignedIn(t, "ada").Get("/u/ada").Is(t, 200, "site not answering")
	visitor.Get("/sites").Is(t, 200, "several handles failed one after the other", "one handle is tried", "page &lt;not&gt; understood")

	p.Call("POST", "/members/ada/retrieve", "")
	if r := handlerstest.Read[handlerstest.RetrievalState](t, p.Call("GET", "/members/ada/retrieval", ""), 200); r.State != "done" || len(r.Sites) != 1 || !strings.HasPrefix(r.Sites[0].Message, "cannot be asked now") || r.Sites[0].Outcome != "parse_error" {
		t.Errorf("the button says %+v", r)
	}
	sites := handlerstest.Read[web.List[handlers.APISite]](t, p.Call("GET", "/sites", ""), 200).Items
	for _, x := range sites {
		broken := x.Site == "codeforces"
		if broken && (x.Circuit != "open" || x.AnsweredAt == nil || !x.AnsweredAt.Equal(last) || x.NextTryAt == nil || len(x.Alarms) != 1 || x.Alarms[0].Kind != "circuit") || !broken && x.Circuit != "closed" {
			t.Errorf("%+v", x)
		}
	}
	rec := httptest.NewRecorder()
	metrics.New(s.DB, s.Now, s.Log).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	for _, want := range []string{`laurel_site_circuit{site="codeforces"} 2`, `laurel_site_alarms{kind="circuit",site="codeforces"} 1`} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("no %q among the metrics", want)
		}
	}
	s.Time = s.Time.Add(time.Hour)
	if _, err := notices.Release(t.Context(), s.DB.DB, notices.Ways{}, 100, s.Time); err != nil {
		t.Fatal(err)
	}
	got := handlerstest.Read[web.List[handlerstest.Notice]](t, s.Program(t, boss).Call("GET", "/members/boss/notices", ""), 200).Items
	if len(got) != 1 || got[0].Kind != "site" || len(got[0].Awards) != 0 || !strings.Contains(got[0].Text, "codeforces") {
		t.Errorf("the admin reads %+v", got)
	}
	s.SignedIn(t, "boss").Get("/notices").Is(t, 200, "A judge site needs attention")
}

func TestPauseASite(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss := s.Member(t, "boss", members.RoleAdmin)
	ada := s.Member(t, "ada", members.RoleMember)
	p := s.Program(t, boss)
	s.Program(t, ada).Call("PATCH", "/sites/codeforces", `{"paused":true,"reason":"x"}`).Refused(t, 403, "")
	p.Call("PATCH", "/sites/nowhere", `{"paused":true,"reason":"x"}`).Refused(t, 404, "")
	p.Call("PATCH", "/sites/codeforces", `{"paused":true}`).Refused(t, 422, "reason")
	p.Call("PATCH", "/sites/codeforces", `{"reason":"x"}`).Refused(t, 422, "paused")
	p.Call("PATCH", "/sites/codeforces", `{"paused":true,"why":"x"}`).Refused(t, 422, "why")
	if x := handlerstest.Read[handlers.APISite](t, p.Call("PATCH", "/sites/codeforces", `{"paused":true,"reason":"at <their> wish"}`), 200); !x.Paused || x.PausedAt == nil || x.PausedReason != "at <their> wish" {
		t.Errorf("%+v", x)
	}
	s.Browser(t).Get("/").Is(t, 200, "Codeforces has been paused since", "at &lt;their&gt; wish")
	if x := handlerstest.Read[handlers.APISite](t, p.Call("PATCH", "/sites/codeforces", `{"paused":false}`), 200); x.Paused || x.PausedReason != "" {
		t.Errorf("%+v", x)
	}
	b := s.SignedIn(t, "boss")
	b.Post("/admin/sites/codeforces/pause", "reason", "").Is(t, 422, "Say why the site is paused")
	b.Post("/admin/sites/nowhere/pause", "reason", "x").Is(t, 404)
	b.Post("/admin/sites/codeforces/pause", "reason", "for a while").LeadsTo(t, "/sites?done=site-paused")
	b.Get("/sites").Is(t, 200, "by boss: for a while", "Resume Codeforces")
	b.Post("/admin/sites/codeforces/resume").LeadsTo(t, "/sites?done=site-resumed")
	if page := b.Get("/sites").Is(t, 200, "Pause Codeforces"); strings.Contains(page.Text, "for a while") {
		t.Error("still paused")
	}
	s.SignedIn(t, "ada").Post("/admin/sites/codeforces/pause", "reason", "x").Is(t, 403)
}

func TestSwitchAStream(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss := s.Member(t, "boss", members.RoleAdmin)
	ada := s.Member(t, "ada", members.RoleMember)
	p := s.Program(t, boss)
	stream := func() (of []*string) {
		for _, x := range handlerstest.Read[web.List[handlers.APISite]](t, p.Call("GET", "/sites", ""), 200).Items {
			of = append(of, x.Stream)
		}
		return of
	}
	if of := stream(); of[0] != nil || of[1] == nil || *of[1] != "auto" {
		t.Errorf("Codeforces has no stream, UVa's is on by itself: %v", of)
	}
	s.Program(t, ada).Call("PATCH", "/sites/uva", `{"stream":"on"}`).Refused(t, 403, "")
	p.Call("PATCH", "/sites/codeforces", `{"stream":"on"}`).Refused(t, 422, "stream")
	p.Call("PATCH", "/sites/uva", `{"stream":"maybe"}`).Refused(t, 422, "stream")
	p.Call("PATCH", "/sites/uva", `{"stream":"on","paused":true}`).Refused(t, 422, "reason")
	if of := stream(); *of[1] != "auto" {
		t.Errorf("half of what was refused was done: %s", *of[1])
	}
	if x := handlerstest.Read[handlers.APISite](t, p.Call("PATCH", "/sites/uva", `{"stream":"off"}`), 200); *x.Stream != "off" || x.Paused {
		t.Errorf("%+v", x)
	}
	b := s.SignedIn(t, "boss")
	b.Get("/sites").Is(t, 200, "Activity streams", `<option value="off" selected>`)
	b.Post("/admin/sites/uva/stream", "stream", "on").LeadsTo(t, "/sites?done=saved")
	b.Post("/admin/sites/uva/stream", "stream", "").Is(t, 422)
	b.Post("/admin/sites/nowhere/stream", "stream", "on").Is(t, 404)
	if of := stream(); *of[1] != "on" {
		t.Errorf("the form: %s", *of[1])
	}
	s.SignedIn(t, "ada").Post("/admin/sites/uva/stream", "stream", "off").Is(t, 403)
	if text := s.SignedIn(t, "ada").Get("/sites").Text; strings.Contains(text, "Activity streams") {
		t.Error("a member sees the switch")
	}
}

func TestATermIsKnown(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "boss", members.RoleAdmin)
	ada := s.Member(t, "ada", members.RoleMember)
	if err := accounts.SetHandles(t.Context(), s.DB.DB, s.BuiltIn, ada.ID, map[string]string{"codeforces": "ada_cf"}, s.Time); err != nil {
		t.Fatal(err)
	}
	s.Submits(t, ada, "codeforces", s.Time.Add(-time.Hour), "A OTH")
	b := s.SignedIn(t, "boss")
	b.Get("/sites").Is(t, 200, "a verdict without a status of ours", "Acknowledge")
	b.Post("/admin/sites/codeforces/words", "kind", "verdict", "word", "MOON").Is(t, 404)
	b.Post("/admin/sites/codeforces/words", "kind", "verdict", "word", "OTH").LeadsTo(t, "/sites?done=saved")
	b.Get("/sites").Is(t, 200, "All verdicts and languages are recognised")
}

func TestAPISites(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.Community(t)
	sites := handlerstest.Read[web.List[handlers.APISite]](t, p.Call("GET", "/sites", ""), http.StatusOK).Items
	if len(sites) != 2 || sites[0].Site != "codeforces" || sites[0].Accounts != 2 || sites[0].Outcome != "ok" || sites[0].LastSuccessAt == nil || sites[0].RequestsLastHour != 4 {
		t.Errorf("sites %+v", sites)
	}
	if s := sites[1]; s.Queue != 1 || s.OldestDueAt == nil || s.FailingSince != nil {
		t.Errorf("%+v, want one account that is due", s)
	}
}
