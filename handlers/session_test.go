package handlers_test

import (
	"net/http"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

func TestAPageViewWritesNothing(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	written := func() (version string) {
		t.Helper()
		err := s.DB.Raw(`SELECT (SELECT string_agg(CAST(xmin AS text), ' ') FROM sessions) || (SELECT string_agg(CAST(xmin AS text), ' ') FROM members)
			|| (SELECT string_agg(CAST(xmin AS text), ' ') FROM member_sessions)`).Scan(&version).Error
		if err != nil || version == "" {
			t.Fatal(version, err)
		}
		return version
	}
	before := written()
	b.Get("/").Is(t, http.StatusOK, "ann")
	b.Get("/settings").Is(t, http.StatusOK)
	if after := written(); after != before {
		t.Errorf("rows went from version %s to %s", before, after)
	}
	s.Time = s.Time.Add(members.SeenEvery) // When a session was used is known to a quarter of an hour.
	b.Get("/settings").Is(t, http.StatusOK)
	if noted := written(); noted == before {
		t.Error("it is not noted that a session is used")
	} else if b.Get("/settings"); written() != noted {
		t.Error("it is noted twice within a quarter of an hour")
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	var expiry time.Time
	if err := s.DB.Raw("SELECT expiry FROM sessions").Scan(&expiry).Error; err != nil || time.Until(expiry) > 30*24*time.Hour || time.Until(expiry) < 29*24*time.Hour {
		t.Errorf("a session ends at %s, error %v; want 30 days from now", expiry, err)
	}
	if err := s.DB.Exec("UPDATE sessions SET expiry = expiry - interval '31 days'").Error; err != nil {
		t.Fatal(err)
	}
	b.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
}

func TestPagesAreCompressed(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	b := s.Browser(t)
	b.From = "127.0.0.1:1"
	for path, want := range map[string]string{"/sign-in": "gzip", "/metrics": "", "/healthz": ""} {
		if got := b.Get(path, "Accept-Encoding", "gzip").Header.Get("Content-Encoding"); got != want {
			t.Errorf("%s: Content-Encoding %q, want %q", path, got, want)
		}
	}
}
