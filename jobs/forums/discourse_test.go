package forums

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/jobs/fakesite"
)

const talk = "https://forum.example/talk/"

func TestDiscoursePosts(t *testing.T) {
	s := mustStart(t, kind(t, "discourse"), talk)
	f := read(t, "discourse", s, fakesite.Testdata(t, "discourse_posts.json"))
	want := []Mail{{
		URL: talk + "t/1448/3", MessageID: "discourse/post/4390@forum.example", Parent: talk + "t/1448/2", Thread: talk + "t/1448",
		Author: "Ada Ropewalk", Address: "ada", Obfuscated: true,
		Subject: "Knots", SentAt: fakesite.UTC("2026-05-23T17:03:59.465Z"), SentShown: "2026-05-23T17:03:59.465Z",
		Body:  "See [this](https://judge.example/p/12?a=1&b=2) and https://judge.example/p/13",
		Links: []string{"https://judge.example/p/12?a=1&b=2", "https://judge.example/p/13"}, Number: 4390, Version: 2,
		UpdatedAt: fakesite.UTC("2026-05-24T10:00:00Z"), Wiki: true,
	}, {
		URL: talk + "t/1448/2", MessageID: "discourse/post/4387@forum.example", Thread: talk + "t/1448", Author: "bo", Address: "bo",
		Obfuscated: true,
		Subject:    "Knots", SentAt: fakesite.UTC("2026-05-22T10:18:52.433Z"), SentShown: "2026-05-22T10:18:52.433Z", Body: "One\n\ntwo\nthree",
		HTML: true, Number: 4387, Version: 1, UpdatedAt: fakesite.UTC("2026-05-22T10:18:52.433Z"), Deleted: true,
	}}
	if d := cmp.Diff(want, f.Messages); d != "" {
		t.Error(d)
	}
	if len(f.Steps) != 1 || f.Steps[0].Address != talk+"posts.json?before=4386" || f.Steps[0].Static || f.Low != 4387 || f.High != 4390 ||
		f.Complete {
		t.Errorf("steps %+v, from %d to %d", f.Steps, f.Low, f.High)
	}
}

// TestDiscourseGoesBack walks over a forum of both sorts: pages that are 50 posts,
// and pages that are 50 numbers, of which many are hidden.
func TestDiscourseGoesBack(t *testing.T) {
	visible := func(id int) bool { return id <= 30 || id > 400 && id%3 != 0 }
	for _, windows := range []bool{false, true} {
		got, requests := map[int]bool{}, 0
		for todo := []Step{mustStart(t, kind(t, "discourse"), talk)}; len(todo) > 0; {
			s := todo[0]
			before := digits(s.Address, "before=")
			if before == 0 {
				before = 700
			}
			var posts []string
			for id := before; id > 0 && len(posts) < 50 && (!windows || id > before-50); id-- {
				if visible(id) {
					posts = append(posts, fmt.Sprintf(`{"id":%d,"topic_id":1,"post_number":%d,"raw":"x"}`, id, id))
				}
			}
			f := read(t, "discourse", s, `{"latest_posts":[`+strings.Join(posts, ",")+`]}`)
			for _, m := range f.Messages {
				got[m.Number] = true
			}
			todo = f.Steps
			if requests++; len(todo) == 0 && !f.Complete {
				t.Errorf("ends at %s and is not complete", s.Address)
			}
		}
		if len(got) != 230 || requests > 20 {
			t.Errorf("windows %t: %d posts in %d requests, want 230", windows, len(got), requests)
		}
	}
}

func TestDiscourseEnds(t *testing.T) {
	k := kind(t, "discourse")
	if f := read(t, "discourse", mustStart(t, k, talk), `{"latest_posts":[]}`); f.Complete || len(f.Steps) > 0 || f.Note == "" {
		t.Errorf("an empty forum: %+v", f)
	}
	s := Step{Address: talk + "posts.json?before=1000000", What: Page, Base: talk, Empty: maxEmpty}
	if f := read(t, "discourse", s, `{"latest_posts":[]}`); !f.Complete || len(f.Steps) > 0 || f.Note == "" {
		t.Errorf("empty for long: %+v", f)
	}
	for _, body := range []string{`{"latest_posts":[{"id":1000001,"topic_id":1,"post_number":1,"raw":""}]}`, `{"latest_posts":[{"id":5}]}`,
		`{"errors":["x"]}`} {
		if _, err := k.Read(s, answer(body)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestRecordedDiscourse(t *testing.T) {
	s := Step{Address: "https://talk.example/posts/2500.json", What: Message, Base: "https://talk.example/"}
	m := read(t, "discourse", s, recorded(t, "perceval/discourse/discourse_post.json")).Messages[0]
	if m.Number != 2500 || m.Author != "Chr Cembrana" || m.Address != "chr_c" || m.Version != 2 || !m.UpdatedAt.After(m.SentAt) ||
		!m.SentAt.Equal(fakesite.UTC("2015-07-28T14:49:13.558Z")) ||
		len(m.Links) != 1 || m.Links[0] != "https://www.youtube.com/watch?v=dxwA_rhLUrA" || m.Thread != "https://talk.example/t/840" ||
		!strings.HasSuffix(m.Body, "Can you help me ???\n\nThanks") {
		t.Errorf("%+v", m)
	}
	if _, err := kind(t, "discourse").Read(Step{Address: "https://talk.example/posts/2501.json", What: Message,
		Base: "https://talk.example/"}, answer(recorded(t, "perceval/discourse/discourse_post.json"))); !errors.Is(err, ErrFormat) {
		t.Errorf("another post: %v", err)
	}
	// The posts of a topic, as if they were the newest: text made from HTML.
	posts := strings.TrimPrefix(recorded(t, "perceval/discourse/discourse_topic_1149.json"), "")
	_, rest, _ := strings.Cut(posts, `"posts":`)
	if i := strings.Index(rest, `"stream"`); i > 0 {
		rest = rest[:strings.LastIndex(rest[:i], "]")+1]
	}
	f := read(t, "discourse", Step{Address: "https://talk.example/posts.json", What: Root, Base: "https://talk.example/"},
		`{"latest_posts":`+rest+`}`)
	for _, m := range f.Messages {
		if !m.HTML || m.Body == "" || strings.Contains(m.Body, "<p>") {
			t.Errorf("%+v", m)
		}
	}
	if len(f.Messages) != 2 {
		t.Errorf("%d posts, want 2", len(f.Messages))
	}
}
