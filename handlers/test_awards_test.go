package handlers

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

// An awardSite is a site with an admin's program, and the workers of awards,
// which work when they are told to.
type awardSite struct {
	*site
	boss   program
	scheme *awards.Ruleset
}

func newAwardSite(t *testing.T, people ...string) *awardSite {
	t.Helper()
	s := newSite(t, "http://laurel.test")
	for _, name := range people {
		modelstest.Member(t, s.DB.DB, name, nil, s.now)
	}
	return &awardSite{s, s.program(t, s.member(t, "boss", members.RoleAdmin)), new(awards.Ruleset)}
}

// works lets all workers work until nothing is left to do.
func (s *awardSite) works(t *testing.T) {
	t.Helper()
	for busy := true; busy; {
		n, err := awards.Apply(t.Context(), s.DB.DB, s.scheme, 1000, s.now)
		if err != nil {
			t.Fatal(err)
		}
		again, err := awards.RecountPending(t.Context(), s.DB.DB, s.scheme, 1000, s.now)
		if err != nil {
			t.Fatal(err)
		}
		granted, err := awards.Evaluate(t.Context(), s.DB.DB, s.scheme, 1000, s.now)
		if err != nil {
			t.Fatal(err)
		}
		busy = n > 0 || again || granted > 0
	}
}

// with calls with headers: name, value, ...
func (p program) with(method, path, body string, header ...string) answer {
	p.t.Helper()
	r := httptest.NewRequestWithContext(p.t.Context(), method, p.site.URL+"/api/v1"+path, strings.NewReader(body))
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.site.echo.ServeHTTP(w, r)
	checkAnswer(p.t, r, w.Code, w.Result().Header, w.Body.String())
	return answer{w.Result(), w.Body.String()}
}

// runs saves and activates an award.
func (s *awardSite) runs(t *testing.T, slug, document string) {
	t.Helper()
	if a := s.boss.call("PUT", "/admin/awards/"+slug, document); a.StatusCode >= 300 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	s.boss.call("POST", "/admin/awards/"+slug+"/activate", "").is(t, http.StatusOK)
}

// sends appends events and lets the workers handle them.
func (s *awardSite) sends(t *testing.T, lines ...string) {
	t.Helper()
	out := read[struct{ Rejected []any }](t, s.boss.call("POST", "/events", strings.Join(lines, "\n")), http.StatusOK)
	if len(out.Rejected) > 0 {
		t.Fatalf("rejected: %+v", out.Rejected)
	}
	s.works(t)
}

// A stands is what programs read of a member's award; numbers as they are written.
type stands struct {
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

func (s *awardSite) standing(t *testing.T, p program, member, slug string) stands {
	t.Helper()
	for _, one := range all[stands](t, p, "/members/"+member+"/awards", "500") {
		if one.Slug == slug {
			return one
		}
	}
	return stands{}
}

// wants sees that a member stands so: "granted 3 of 3".
func (s *awardSite) wants(t *testing.T, member, slug, want string) stands {
	t.Helper()
	got := s.standing(t, program{t: t, site: s.site}, member, slug)
	if words := fmt.Sprintf("%s %s of %s", got.State, got.Progress, got.Goal); words != want {
		t.Errorf("%s: %s is %s, want %s", member, slug, words, want)
	}
	return got
}

// rewards lets the workers of awards work until nothing is left.
func (s *site) rewards(t *testing.T) {
	t.Helper()
	scheme := new(awards.Ruleset)
	for busy := true; busy; {
		n, err := awards.Apply(t.Context(), s.DB.DB, scheme, 1000, s.now)
		if err != nil {
			t.Fatal(err)
		}
		again, err := awards.RecountPending(t.Context(), s.DB.DB, scheme, 1000, s.now)
		if err != nil {
			t.Fatal(err)
		}
		m, err := awards.Evaluate(t.Context(), s.DB.DB, scheme, 1000, s.now)
		if err != nil {
			t.Fatal(err)
		}
		busy = n > 0 || again || m > 0
	}
}
