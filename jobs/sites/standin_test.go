package sites

import (
	"testing"
	"time"

	"laurel/jobs/standin"
)

// Every site reads what its half of the stand-in shows: each row that the site
// lists, as it is, and every problem under an address that leads back to it.
func TestSitesReadTheStandIn(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	w := &world{Server: standin.New(standin.Options{Seed: 4, People: 9, Begin: now.AddDate(0, -5, 0), Now: func() time.Time { return now }})}
	for _, s := range everySite() {
		t.Run(s.Info().Name, func(t *testing.T) {
			people, rows := 0, 0
			for _, person := range w.People() {
				if handle := person.Handles[s.Info().Name]; handle != "" {
					people++
					rows += sameAsShown(t, s, w, handle)
				}
			}
			if people < 3 || rows < 20 {
				t.Errorf("%d people have %d submissions: the stand-in knows too little of this site", people, rows)
			}
		})
	}
}

// sameAsShown compares what a site reads of a handle with what the stand-in lists,
// and returns how many rows there are.
func sameAsShown(t *testing.T, s Site, w *world, handle string) int {
	t.Helper()
	a := Account{Handle: handle, Now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }}
	if r, ok := s.(Resolver); ok {
		key, err := r.Resolve(t.Context(), w, handle)
		if err != nil {
			t.Fatal(err)
		}
		a.Key = key
	}
	got, err := all(s.Submissions(t.Context(), w, a))
	if err != nil {
		t.Fatalf("%s: %v", handle, err)
	}
	shown := map[string]standin.Submission{}
	unnumbered := 0
	listed := w.Listed(s.Info().Name, handle)
	for _, x := range listed {
		if x.Unnumbered {
			unnumbered++
			continue
		}
		shown[x.ID] = x
	}
	for _, x := range got {
		wantSound(t, x)
		wantRecognised(t, s, x.Problem)
		want, ok := shown[x.ID]
		if !ok {
			unnumbered--
			continue
		}
		if !x.At.Equal(want.At) || x.Problem.Key != want.Problem || !want.Coded && (x.Language != want.Language || x.Verdict != want.Verdict) {
			t.Errorf("%s:\n got %+v\nwant %+v", handle, x, want)
		}
	}
	if len(got) != len(listed) || unnumbered != 0 {
		t.Errorf("%s: %d submissions, want %d; %d more or fewer have no number", handle, len(got), len(listed), unnumbered)
	}
	return len(got)
}

func wantRecognised(t *testing.T, s Site, p Problem) {
	t.Helper()
	if got, ok := Recognise(p.URL, hosted()...); p.URL != "" && (!ok || got != (Link{s.Info().Name, LinkProblem, p.Key})) {
		t.Errorf("%s leads to %+v, want the problem %s", p.URL, got, p.Key)
	}
}
