package standin

import (
	"encoding/csv"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

// networkNames are those of all networks.
func networkNames() []string {
	var all []string
	for _, x := range sites.All() {
		if _, ok := x.(network); ok {
			all = append(all, x.name())
		}
	}
	return all
}

// Ids of one moment differ and hold the moment, to the millisecond.
func TestPostIDs(t *testing.T) {
	s, seen := at(start, Options{}), map[string]bool{}
	for _, network := range networkNames() {
		for n := range 100000 {
			id := PostID(network, start.Add(-time.Hour), n)
			p, ok := s.PostAt(network, id, start)
			if !ok || seen[id] || p.At.Sub(start.Add(-time.Hour)) > 2*time.Millisecond || p.At.Before(start.Add(-time.Hour)) {
				t.Fatalf("%s: id %d is %s: %+v", network, n, id, p)
			}
			seen[id] = true
		}
	}
}

// The times that are decoded from real ids are those the real network showed.
func TestRecordedIDs(t *testing.T) {
	f, err := os.Open(filepath.Join(fakesite.RecordedPath(t, "posts"), "x", "tweets_id_created_at.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, row := range rows[1:] {
		p, ok := at(start, Options{}).PostAt("x", row[0], start)
		if ok != (row[2] != "") {
			t.Errorf("%s: a snowflake = %t, want %t", row[0], ok, !ok)
		}
		if made, err := time.Parse(time.RFC3339, row[1]); ok && (err != nil || p.At.Sub(made).Abs() > 1500*time.Millisecond) {
			t.Errorf("%s: made at %s, want %s", row[0], p.At, row[1])
		} else if ok {
			read++
		}
	}
	if read != 86 {
		t.Errorf("%d ids have their time in them, want 86", read)
	}
}

func TestNoIDs(t *testing.T) {
	s := at(start, Options{})
	for network, ids := range map[string][]string{
		"x": {"", "20", "-5", "12a", "99999999999999999999"}, "mastodon": {"", "1", "abc"}, "nowhere": {"1"},
		"bluesky": {"", "3lhlu3l65522g", "at://did:plc:oio4hkxaop4ao4wz2pp3f4cr/app.bsky.feed.post/3lhlu3l65522g",
			"at://" + did(1) + postPath + "zzzzzzzzzzzzz", "at://" + did(1) + "/app.bsky.feed.like/3lhlu3l65522g"},
	} {
		for _, id := range ids {
			if p, ok := s.PostAt(network, id, start); ok {
				t.Errorf("%s: %q is a post: %+v", network, id, p)
			}
		}
	}
	for _, network := range networkNames() {
		if p, _ := s.PostAt(network, PostID(network, start.Add(2*time.Second), 1), start); p.State != "future" || p.Metrics != nil {
			t.Errorf("%s: a post of the future: %+v", network, p)
		}
	}
}

// Numbers grow fast at first and slowly later, fall only by a little, and depend
// on nothing but seed, id and second.
func TestCurve(t *testing.T) {
	s, again, other := at(start, Options{Seed: 3}), at(start.AddDate(1, 0, 0), Options{Seed: 3}), at(start, Options{Seed: 4})
	fell, differ, early, all := 0, false, int64(0), int64(0)
	for n := range 300 {
		id := PostID("x", start, n)
		before := map[string]int64{}
		for hours := 0; hours < 720; hours += 1 + hours/12 {
			now := start.Add(time.Duration(hours) * time.Hour)
			m := s.Metrics("x", id, now)
			if !maps.Equal(m, again.Metrics("x", id, now.Add(999*time.Millisecond))) {
				t.Fatalf("%s: other numbers the second time", id)
			}
			differ = differ || !maps.Equal(m, other.Metrics("x", id, now))
			for name, count := range m {
				if fall := before[name] - count; fall > 1+before[name]/50 || count < 0 {
					t.Fatalf("%s: %d %s at %d hours, %d before", id, count, name, hours, before[name])
				} else if fall > 0 {
					fell++
				}
			}
			before = m
		}
		early += s.Metrics("x", id, start.Add(6*time.Hour))["likes"]
		all += s.Metrics("x", id, start.Add(720*time.Hour))["likes"]
	}
	if share := float64(early) / float64(all); fell == 0 || !differ || share < 0.5 || share > 0.95 {
		t.Errorf("numbers fell %d times, seeds differ = %t, %.2f of the likes came in six hours", fell, differ, share)
	}
}

// How many posts meet which fate, and that sizes differ by powers of ten.
func TestFates(t *testing.T) {
	const posts = 60000
	s := at(start, Options{})
	for _, network := range networkNames() {
		var gone, hid, repeats, small, large int
		for n := range posts {
			id := PostID(network, start, n)
			p, _ := s.PostAt(network, id, start.AddDate(0, 2, 0))
			switch {
			case p.State == "deleted":
				gone++
			case !p.Back.IsZero():
				hid++
				inside, _ := s.PostAt(network, id, p.Hidden)
				if days := p.Back.Sub(p.Hidden).Hours() / 24; p.State != "shown" || inside.State == "shown" || inside.Metrics != nil || days < 1 ||
					days > 6 {
					t.Fatalf("%s: %+v, while hidden %+v", network, p, inside)
				}
			case p.RetweetOf != "":
				repeats++
			case p.Metrics["likes"] < 10:
				small++
			case p.Metrics["likes"] > 1000:
				large++
			}
		}
		want := posts / 300
		if n, _ := networkNamed(network); n.traits().noReposts {
			want = 0
		}
		if near(gone, posts/200) && near(hid, posts/500) && near(repeats, want) && small > posts/2 && near(large, posts/1000) {
			continue
		}
		t.Errorf("%s: %d deleted, %d hidden, %d retweets, %d small, %d large", network, gone, hid, repeats, small, large)
	}
}

func near(got, want int) bool { return got >= want*3/4 && got <= want*4/3 }

// What a member writes is a few posts a day, each a post like any other and of its author.
func TestMembersWrite(t *testing.T) {
	for _, people := range []int{2, 24, 3000} {
		s := at(start, Options{People: people})
		for _, network := range networkNames() {
			for i := range min(people, 5) {
				posts := s.Posts(network, i, start.AddDate(0, 0, 10))
				for j, p := range posts {
					if p.Author != i || p.State != "shown" || j > 0 && p.At.Before(posts[j-1].At) {
						t.Fatalf("%s: post %d of person %d: %+v", network, j, i, p)
					}
				}
				if got := len(posts) - len(s.Posts(network, i, start)); got < 8 || got > 40 {
					t.Errorf("%s: person %d wrote %d posts in ten days", network, i, got)
				}
			}
		}
	}
}
