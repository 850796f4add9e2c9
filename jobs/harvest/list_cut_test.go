package harvest_test

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/forums"
)

// A board is a forum of Discourse with numbered posts, ten of them a page. It
// breaks after some answers, as often as it is set to.
type board struct {
	posts   int
	answers []int // How many it gives before it breaks; then it is well.
	given   int
}

func (b *board) ServeHTTP(res http.ResponseWriter, req *http.Request) {
	if req.URL.Path != "/board/posts.json" {
		http.NotFound(res, req)
		return
	}
	if b.given++; len(b.answers) > 0 && b.given > b.answers[0] {
		b.answers, b.given = b.answers[1:], 0
		res.WriteHeader(http.StatusBadGateway)
		return
	}
	last := b.posts
	if n, err := strconv.Atoi(req.FormValue("before")); err == nil {
		last = min(n, last)
	}
	posts := []map[string]any{}
	for id := last; id > max(last-10, 0); id-- {
		posts = append(posts, map[string]any{"id": id, "topic_id": 1 + id/7, "post_number": 1 + id%7, "username": fmt.Sprintf("sailor%d", id%5), "topic_title": "Tides",
			"created_at": time.Date(2020, 1, 1, id, 0, 0, 0, time.UTC).Format(time.RFC3339), "raw": fmt.Sprintf("It is post %d.", id), "version": 1})
	}
	_ = json.NewEncoder(res).Encode(map[string]any{"latest_posts": posts})
}

// A walk through a list that is cut short leaves no hole: neither the first one, nor
// a later one over what came since, however often that happens.
func TestAListIsReadWholeAlsoByWalksThatAreCutShort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		before []int // Answers until each break, in the first walk; 50 posts come after each.
		after  []int // The same, when it was read to its end once.
	}{
		{"the first walk", []int{4}, nil},
		{"the first walk, at what came since", []int{4, 2}, nil},
		{"the first walk, there and further back", []int{4, 2, 9, 1}, nil},
		{"a later walk", nil, []int{2}},
		{"later walks", nil, []int{2, 1, 3}},
		{"all of them", []int{3, 3}, []int{1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := &board{posts: 100}
			w := newArchiveWorld(t, b)
			w.add("board", "discourse", "/board/")
			look := func(answers []int) {
				for _, n := range answers {
					b.answers, b.given = []int{n}, 0
					w.clock.Pass(24 * time.Hour)
					if run := w.harvest("board"); run.Outcome != pg.OutcomeServerError {
						t.Fatalf("the run is %+v", run)
					}
					b.posts += 50
				}
				b.answers = nil
				w.clock.Pass(24 * time.Hour)
				if run := w.harvest("board"); run.Outcome != pg.OutcomeOK {
					t.Fatalf("the run is %+v", run)
				}
				if n := w.count(`SELECT count(*) FROM messages`); n != b.posts {
					t.Errorf("%d of %d posts are stored", n, b.posts)
				}
			}
			look(tt.before)
			b.posts += 50
			look(tt.after)
			w.requests()
			if run := w.harvest("board"); run.Requests != 1 || run.New != 0 {
				t.Errorf("when all is known: %+v", run)
			}
		})
	}
}

// What is older than an admin wants is not stored, and pages behind it are not
// asked for.
func TestAListIsReadAsFarBackAsIsWanted(t *testing.T) {
	t.Parallel()
	b := &board{posts: 1000} // One an hour from New Year 2020 on: number 744 is the first of February.
	w := newArchiveWorld(t, b)
	w.add("board", "discourse", "/board/")
	if _, err := forums.Change(t.Context(), w.DB.DB, "board", forums.Edit{From: new("2020-02")}, w.Now()); err != nil {
		t.Fatal(err)
	}
	if run := w.harvest("board"); run.New != 257 || run.Requests > 30 || run.Outcome != pg.OutcomeOK {
		t.Errorf("the run is %+v", run)
	}
	if n := w.count(`SELECT min(number) FROM messages`); n != 744 {
		t.Errorf("the oldest is %d", n)
	}
}

// A kitty is a list in HyperKitty, the newest message last, of which one is broken.
type kitty struct {
	ids    []string
	broken string
}

func (k *kitty) ServeHTTP(res http.ResponseWriter, req *http.Request) {
	rest, ok := strings.CutPrefix(req.URL.Path, "/api/list/tides@example.org/email")
	show := func(id string) map[string]any {
		sum := sha1.Sum([]byte(id))
		return map[string]any{"message_id": id, "message_id_hash": base32.StdEncoding.EncodeToString(sum[:]), "sender_name": "Ada", "sender": map[string]any{"address": "ada (a) example.org"},
			"subject": "Tides", "date": "2020-01-01T00:00:00Z", "content": "It is " + id}
	}
	if ok && rest == "s/" {
		from, _ := strconv.Atoi(req.FormValue("offset"))
		newest := slices.Clone(k.ids)
		slices.Reverse(newest)
		results := []map[string]any{}
		for _, id := range newest[min(from, len(newest)):min(from+100, len(newest))] {
			results = append(results, show(id))
		}
		var next *string
		if from+100 < len(newest) {
			next = new("more")
		}
		_ = json.NewEncoder(res).Encode(map[string]any{"count": len(newest), "next": next, "results": results})
		return
	}
	for _, id := range k.ids {
		if m := show(id); ok && rest == "/"+m["message_id_hash"].(string)+"/" {
			if id == k.broken {
				res.WriteHeader(http.StatusInternalServerError)
				return
			}
			_ = json.NewEncoder(res).Encode(m)
			return
		}
	}
	http.NotFound(res, req)
}

// A message of a list that could not be had is asked for again, also when it stands
// on a page to which no walk comes any more.
func TestAGapInAListIsAskedForAgain(t *testing.T) {
	t.Parallel()
	k := &kitty{broken: "m30@example.org"}
	grow := func(n int) {
		for range n {
			k.ids = append(k.ids, fmt.Sprintf("m%d@example.org", len(k.ids)))
		}
	}
	grow(150)
	w := newArchiveWorld(t, k)
	w.add("kitty", "hyperkitty", "/list/tides@example.org/")
	look := func(stored, missing int) {
		t.Helper()
		w.clock.Pass(24 * time.Hour)
		if run := w.harvest("kitty"); run.Outcome != pg.OutcomeOK || run.Missing != missing {
			t.Errorf("the run is %+v", run)
		}
		if n := w.count(`SELECT count(*) FROM messages`); n != stored {
			t.Errorf("%d messages are stored, want %d", n, stored)
		}
	}
	look(149, 1)
	grow(200)
	look(349, 1)
	k.broken = ""
	look(350, 0)
	w.requests()
	look(350, 0)
	if asked := w.requests(); len(asked) > 2 { // robots.txt and the newest page.
		t.Errorf("when all is there, asked for is %v", asked)
	}
}
