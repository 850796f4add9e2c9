package standin

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every fetch is remembered in order, and how full the requests were.
func TestPolls(t *testing.T) {
	now := start
	o := Options{Polls: true, Now: func() time.Time { return now }}
	s := New(o)
	all := ids("x", start, 100)
	var want []time.Time
	for _, step := range []time.Duration{0, 3 * time.Minute, 0, 26 * time.Hour, -time.Second} {
		now = now.Add(step)
		want = append(want, now)
		readAs[xPage](t, s, "/2/tweets?ids="+strings.Join(all, ","))
	}
	readAs[xPage](t, s, "/2/tweets?ids=20,"+all[7])
	if got := s.PolledAt("x", all[5]); !slices.Equal(got, want) {
		t.Errorf("polls at %s, want %s", got, want)
	}
	if len(s.PolledAt("x", all[7])) != 6 || len(s.PolledAt("x", "20")) != 1 || s.PolledAt("x", "21") != nil ||
		s.PolledAt("bluesky", all[7]) != nil {
		t.Errorf("polls %v, at a missing one %v", s.PolledAt("x", all[7]), s.PolledAt("x", "20"))
	}
	if requests, ids, full := s.Batches("x"); requests != 6 || ids != 502 || full != 5 {
		t.Errorf("%d requests with %d ids, %d full", requests, ids, full)
	}
	if requests, ids := s.BatchesUnderLoad("x", time.Hour, 300); requests != 3 || ids != 300 {
		t.Errorf("%d requests with %d ids under load", requests, ids)
	}
	r := read[postsReport](t, s, "/standin/posts?network=x&id="+all[7])
	if r.Requests != 6 || r.IDs != 502 || r.Full != 5 || r.Sizes[100] != 5 || r.Sizes[2] != 1 || len(r.Polls) != 1 ||
		len(r.Polls[all[7]]) != 6 || r.Post.State != "shown" {
		t.Errorf("report %+v", r)
	}
	if r := read[postsReport](t, s, "/standin/posts?network=x"); len(r.Polls) != 101 {
		t.Errorf("%d posts in the report, want 101", len(r.Polls))
	}
	if status, _ := ask(t, s, "/standin/posts?network=nowhere"); status != 400 {
		t.Errorf("status %d of a network that is none", status)
	}
	s.Forget()
	if requests, _, _ := s.Batches("x"); requests != 0 || s.PolledAt("x", all[7]) != nil {
		t.Error("polls are not forgotten")
	}
	blind := at(start, Options{})
	readAs[xPage](t, blind, "/2/tweets?ids="+all[0])
	if requests, _, _ := blind.Batches("x"); requests != 1 || blind.PolledAt("x", all[0]) != nil {
		t.Error("polls are remembered without being asked for, or requests not counted")
	}
}

// 100,000 posts with the 80 polls of a whole life fit into 100 MB.
func TestPollsAreSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("8 million polls")
	}
	heap := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	s := at(start, Options{Polls: true})
	all := ids("bluesky", start, 100000) // The longest.
	now, polls := start, 0
	for _, tier := range []struct {
		every time.Duration
		count int
	}{{3 * time.Minute, 6}, {10 * time.Minute, 4}, {time.Hour, 23}, {6 * time.Hour, 24}, {24 * time.Hour, 23}} {
		for range tier.count {
			now = now.Add(tier.every)
			polls++
			for i := 0; i < len(all); i += 25 {
				s.notePoll("bluesky", all[i:i+25], bsBatch, now.Add(time.Duration(i)*time.Millisecond))
			}
		}
	}
	grown := heap() - before
	t.Logf("%d polls at %d posts: %d MB", polls, len(all), grown>>20)
	if grown > 100<<20 || len(s.PolledAt("bluesky", all[99999])) != polls {
		t.Errorf("%d bytes, want less than 100 MB", grown)
	}
	runtime.KeepAlive(all)
}
