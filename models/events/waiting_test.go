package events_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/models/accounts"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func photosOf(member string, first, n int) (list []rules.Event) {
	for i := range n {
		e := modelstest.Item("photo", fmt.Sprint(member, first+i), 1, "active", i, nil)
		e.Member = member
		list = append(list, e)
	}
	return list
}

// takesIn takes in what waited, and lets all workers work.
func takesIn(w *modelstest.AwardWorld) {
	w.Helper()
	for n := 1; n > 0; {
		var err error
		if n, err = events.Admit(w.Context(), w.DB, w.Now); err != nil {
			w.Fatal(err)
		}
	}
	w.Works()
}

// Events of people who are not known wait for whom an admin makes, and not for whoever signs up.
func TestEventsWaitForWhomAnAdminMakes(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "root")
	w.Runs(threePhotos)
	list := append(photosOf("Grace", 0, 3), photosOf("grace", 0, 1)...)
	list = append(list, photosOf("mallory", 0, 3)...)
	list[3].ID = list[0].ID // The same again.
	if out := w.Sends(list...); out.Waiting != 6 || out.Duplicate != 1 || out.Accepted != 0 || len(out.Rejected) != 0 {
		t.Errorf("%+v, want 6 that wait", out)
	}
	if out := w.Sends(list[:2]...); out.Waiting != 0 || out.Duplicate != 2 {
		t.Errorf("sent again: %+v", out)
	}
	modelstest.Member(t, w.DB, "mallory", nil, w.Now) // As one who signs up.
	root, err := members.ByName(t.Context(), w.DB, "root")
	if err != nil {
		t.Fatal(err)
	}
	root.Role = members.RoleAdmin
	grace := members.Member{Name: "grace"}
	if err := accounts.Add(t.Context(), w.DB, nil, accounts.New{Member: &grace, By: &root}, w.Now); err != nil {
		t.Fatal(err)
	}
	takesIn(w)
	w.Wants("grace", "three", "3 of 3, 1 since 12:00, 2 since 12:02")
	w.Wants("mallory", "three", "")
	if n, err := events.Strangers(t.Context(), w.DB); n != 3 || err != nil {
		t.Errorf("%d wait, %v; want mallory's three", n, err)
	}
	w.Sends(photosOf("mallory", 7, 1)...)
	w.Wants("mallory", "three", "1 of 3, 1 since 12:00")
	if err := events.ForgetWaiting(t.Context(), w.DB, w.Now.Add(31*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if n, _ := events.Strangers(t.Context(), w.DB); n != 0 {
		t.Errorf("%d wait after a month", n)
	}
}

// Nobody's events fill the database.
func TestEventsThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t)
	if out := w.Sends(photosOf("nobody", 0, 1000)...); out.Waiting != 1000 {
		t.Errorf("%d wait", out.Waiting)
	}
	out := w.Sends(photosOf("nobody", 1000, 2)...)
	if out.Waiting != 0 || len(out.Rejected) != 2 || out.Rejected[0].Reason != `member: no member is named "nobody", and too many events wait for members already` {
		t.Errorf("%+v", out)
	}
}
