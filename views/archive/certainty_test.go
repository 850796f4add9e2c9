package archive

import (
	"testing"
	"time"

	"laurel/views/viewstest"
)

// TestReason is the sentence behind each class.
func TestReason(t *testing.T) {
	before := func(d time.Duration) time.Time { return viewstest.Then.Add(-d) }
	after := func(d time.Duration) time.Time { return viewstest.Then.Add(d) }
	for _, tt := range []struct {
		c    Certainty
		at   time.Time
		want string
	}{
		{Certainty{Class: Known, SeenBefore: viewstest.Then}, viewstest.Then, "seen at 12:00 exactly"},
		{Certainty{Class: Known, SeenBefore: after(7 * time.Second)}, after(7 * time.Second), "seen at 12:00:07 exactly"},
		{Certainty{Class: Confirmed, SeenBefore: before(3 * time.Minute), SeenAfter: after(2 * time.Minute)}, viewstest.Then, "seen 3 min before and 2 min after, unchanged"},
		{Certainty{Class: Confirmed, SeenBefore: before(200 * time.Millisecond), SeenAfter: after(40 * 24 * time.Hour)}, viewstest.Then, "seen less than 1 s before and 40 days after, unchanged"},
		{Certainty{Class: LastKnown, SeenBefore: before(9 * time.Hour), Ended: after(17 * time.Hour), Reason: "changed"}, viewstest.Then, "last seen 9 h before; changed to 1702 within the next 26 h"},
		{Certainty{Class: LastKnown, SeenBefore: before(9 * time.Hour), Ended: after(17 * time.Hour), Reason: "displaced"}, viewstest.Then, "last seen 9 h before; someone else had this place 26 h later"},
		{Certainty{Class: LastKnown, SeenBefore: before(9 * time.Hour), Ended: after(17 * time.Hour), Reason: "removed"}, viewstest.Then, "last seen 9 h before; no longer shown 26 h later"},
		{Certainty{Class: LastKnown, SeenBefore: before(9 * time.Hour), Ended: after(17 * time.Hour), Reason: "source gone"}, viewstest.Then, "last seen 9 h before; the source was gone 26 h later"},
		{Certainty{Class: StillOpen, SeenBefore: viewstest.Now.AddDate(0, 0, -9)}, viewstest.Now, "last seen 9 days ago"},
		{Certainty{Class: StillOpen, SeenBefore: before(9 * 24 * time.Hour)}, viewstest.Then, "last seen 9 days before, not checked since"},
		{Certainty{Class: Displaced, Ended: time.Date(2026, 3, 4, 11, 5, 0, 0, viewstest.Riga), Reason: "displaced"}, viewstest.Then, "someone else took this place at 11:05; new value unknown"},
		{Certainty{Class: Displaced, Ended: viewstest.March(2, 11, 5), Reason: "displaced"}, viewstest.Then, "someone else took this place on 2 March; new value unknown"},
		{Certainty{Class: Removed, Ended: viewstest.March(2, 11, 5), Reason: "removed"}, viewstest.Then, "no longer shown on 2 March"},
		{Certainty{Class: Removed, Ended: time.Date(2025, 3, 2, 11, 5, 0, 0, viewstest.Riga), Reason: "source gone"}, viewstest.Then, "the source was gone on 2 March 2025"},
		{Certainty{}, viewstest.Then, "never seen so far"},
		{Certainty{FirstSeen: viewstest.March(9, 8, 0)}, viewstest.Then, "first seen on 9 March"},
		{Certainty{FailingFrom: viewstest.March(2, 0, 0), FailingUntil: viewstest.March(9, 0, 0)}, viewstest.Then, "never seen so far; AtCoder did not answer from 2 Mar to 9 Mar"},
		{Certainty{FailingFrom: viewstest.March(4, 9, 0)}, viewstest.Then, "never seen so far; AtCoder has not answered since 09:00"},
		{Certainty{FailingFrom: viewstest.March(4, 9, 0), FailingUntil: viewstest.March(4, 13, 0)}, viewstest.Then, "never seen so far; AtCoder did not answer from 09:00 to 13:00"},
	} {
		if got := (reason{tt.c, tt.at, viewstest.Now, "AtCoder", " to 1702"}).text(t.Context()); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.c, got, tt.want)
		}
	}
}

// TestEveryClassIsExplained holds marks and meanings together.
func TestEveryClassIsExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range meanings {
		if marks[m.class] == "" || seen[marks[m.class]] || m.text == "" {
			t.Errorf("%s has the mark %q, which must be its own", m.class, marks[m.class])
		}
		seen[marks[m.class]] = true
	}
	if len(meanings) != len(marks) {
		t.Errorf("%d meanings for %d marks", len(meanings), len(marks))
	}
}

func TestAtPath(t *testing.T) {
	at := viewstest.Then.Add(1500 * time.Microsecond)
	for base, want := range map[string]string{
		"/u/ada":       "/u/ada?at=2026-03-04T10:00:00.0015Z",
		"/l?ladder=+x": "/l?ladder=+x&at=2026-03-04T10:00:00.0015Z",
	} {
		if got := atPath(base, at); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
