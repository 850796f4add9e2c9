package handlerstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// An AwardSite is a site with an admin's program, and the workers of awards,
// which run when they are called.
type AwardSite struct {
	*Site
	Boss   Program
	scheme *awards.Ruleset
}

// NewAwardSite makes a site with members and an admin.
func NewAwardSite(t *testing.T, people ...string) *AwardSite {
	t.Helper()
	s := New(t, "http://laurel.test")
	for _, name := range people {
		modelstest.Member(t, s.DB.DB, name, nil, s.Time)
	}
	return &AwardSite{s, s.Program(t, s.Member(t, "boss", members.RoleAdmin)), new(awards.Ruleset)}
}

// Work lets all workers work until nothing is left to do.
func (s *AwardSite) Work(t *testing.T) {
	t.Helper()
	for busy := true; busy; {
		n, err := awards.Apply(t.Context(), s.DB.DB, s.scheme, 1000, s.Time)
		if err != nil {
			t.Fatal(err)
		}
		again, err := awards.RecountPending(t.Context(), s.DB.DB, s.scheme, 1000, s.Time)
		if err != nil {
			t.Fatal(err)
		}
		granted, err := awards.Evaluate(t.Context(), s.DB.DB, s.scheme, 1000, s.Time)
		if err != nil {
			t.Fatal(err)
		}
		busy = n > 0 || again || granted > 0
	}
}

// With calls with headers: name, value, ...
func (p Program) With(method, path, body string, header ...string) Answer {
	p.T.Helper()
	r := httptest.NewRequestWithContext(p.T.Context(), method, p.Site.URL+"/api/v1"+path, strings.NewReader(body))
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.Site.Echo.ServeHTTP(w, r)
	CheckAnswer(p.T, r, w.Code, w.Result().Header, w.Body.String())
	return Answer{w.Result(), w.Body.String()}
}

// Activate saves and activates an award.
func (s *AwardSite) Activate(t *testing.T, slug, document string) {
	t.Helper()
	if a := s.Boss.Call("PUT", "/admin/awards/"+slug, document); a.StatusCode >= 300 {
		t.Fatalf("%d %s", a.StatusCode, a.Text)
	}
	s.Boss.Call("POST", "/admin/awards/"+slug+"/activate", "").Is(t, http.StatusOK)
}

// Send appends events and lets the workers handle them.
func (s *AwardSite) Send(t *testing.T, lines ...string) {
	t.Helper()
	out := Read[struct{ Rejected []any }](t, s.Boss.Call("POST", "/events", strings.Join(lines, "\n")), http.StatusOK)
	if len(out.Rejected) > 0 {
		t.Fatalf("rejected: %+v", out.Rejected)
	}
	s.Work(t)
}

// A Standing is what programs read of a member's award; numbers as they are written.
type Standing struct {
	Slug, State    string
	Progress, Goal json.Number
	GrantedAt      *time.Time `json:"granted_at"`
	Level          int
	Period         *string
	Missing        []string
	Grants         []struct {
		Level         int
		Period        string
		ByHand        bool `json:"by_hand"`
		Locked        bool
		RevokedAt     *time.Time `json:"revoked_at"`
		RevokedReason string     `json:"revoked_reason"`
		Badge         *string
	}
	Objectives []struct {
		ID       string
		Progress json.Number
		Counters map[string]json.Number
	}
}

// Standing reads how far a member is with an award.
func (s *AwardSite) Standing(t *testing.T, p Program, member, slug string) Standing {
	t.Helper()
	for _, one := range All[Standing](t, p, "/members/"+member+"/awards", "500") {
		if one.Slug == slug {
			return one
		}
	}
	return Standing{}
}

// Want sees that a member stands so: "granted 3 of 3".
func (s *AwardSite) Want(t *testing.T, member, slug, want string) Standing {
	t.Helper()
	got := s.Standing(t, Program{T: t, Site: s.Site}, member, slug)
	if words := fmt.Sprintf("%s %s of %s", got.State, got.Progress, got.Goal); words != want {
		t.Errorf("%s: %s is %s, want %s", member, slug, words, want)
	}
	return got
}
