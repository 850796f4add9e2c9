package posts_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/jobs/networks"
	"laurel/jobs/posts"
	"laurel/jobs/standin"
	modelposts "laurel/models/posts"
)

// A brokenNetwork misreads answers: it loses likes, takes other counts for another one, and overlooks
// every third post.
type brokenNetwork struct{ networks.Network }

func (b brokenNetwork) Fetch(ctx context.Context, get networks.Getter, c networks.Credential, ids []string) (networks.Fetched, error) {
	got, err := b.Network.Fetch(ctx, get, c, ids)
	n := 0
	for id, p := range got.Posts {
		if n++; n%3 == 0 {
			delete(got.Posts, id)
			got.Missing[id] = networks.NotFound
			continue
		}
		p.Likes, p.Replies, p.Text = nil, p.Reposts, ""
		got.Posts[id] = p
	}
	return got, err
}

// unreadableNetwork understands nothing.
type unreadableNetwork struct{ networks.Network }

func (u unreadableNetwork) Fetch(ctx context.Context, get networks.Getter, c networks.Credential, ids []string) (networks.Fetched, error) {
	if _, err := u.Network.Fetch(ctx, get, c, ids); err != nil {
		return networks.Fetched{}, err
	}
	return networks.Fetched{}, &networks.Refusal{Kind: networks.Format, Message: "broken by the test"}
}

// reread reads all raw answers again, and says what changed.
func (w *postWorld) reread(dry bool) (c modelposts.Reread) {
	w.t.Helper()
	w.ok(w.Reread(w.t.Context(), posts.RereadOrder{DryRun: dry}, func(_ string, of modelposts.Reread) error {
		c.Posts, c.Answers = c.Posts+of.Posts, c.Answers+of.Answers
		return nil
	}))
	return c
}

// shown is what is stored of every post.
func (w *postWorld) shown() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, p := range w.posts("true") {
		n := func(n *int64) string {
			if n == nil {
				return "-"
			}
			return fmt.Sprint(*n)
		}
		all[p.Key.String()] = fmt.Sprint(p.State, " ", p.MissingCount, " ", n(p.Likes), " ", n(p.Reposts), " ", n(p.Replies), " ", n(p.Views), " ", p.Text, " ", p.Author)
	}
	return all
}

// What a broken reader lost or misread of posts comes back from the raw answers, without a request;
// numbers that a newer answer showed stay, and the second time changes nothing.
func TestRereadOfPosts(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]func(networks.Network) networks.Network{
		"misread":    func(n networks.Network) networks.Network { return brokenNetwork{n} },
		"unreadable": func(n networks.Network) networks.Network { return unreadableNetwork{n} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			worlds := [2]*postWorld{newPostWorld(t, standin.Options{Seed: 1}), newPostWorld(t, standin.Options{Seed: 1})}
			for i, w := range worlds { // The second one has the mended readers all the time.
				w.credential("x", "", "one")
				w.add("x", "", 100, 26*time.Hour)
				w.add("bluesky", "", 25, 26*time.Hour)
				w.add("mastodon", "social.sample.invalid", 20, 26*time.Hour)
				mended := w.Networks
				if i == 0 {
					w.Networks = nil
					for _, n := range mended {
						w.Networks = append(w.Networks, broken(n))
					}
				}
				w.look()
				w.now = w.now.Add(10 * time.Second)
				w.look()
				w.Networks = mended
			}
			w, good := worlds[0], worlds[1].shown()
			lost, requests := w.shown(), len(w.out.Log())
			if cmp.Equal(lost, good) {
				t.Fatal("the broken reader lost nothing")
			}
			if c := w.reread(true); c.Posts == 0 || !cmp.Equal(w.shown(), lost) {
				t.Errorf("a dry run would change %+v, and changed something", c)
			}
			c := w.reread(false)
			if c.Posts < 40 || (c.Answers > 0) != (name == "unreadable") {
				t.Errorf("reading again changed %+v", c)
			}
			found := 0
			for key, want := range good {
				if got := w.shown()[key]; w.seen(key) && got != want {
					t.Errorf("%s is %s, want %s", key, got, want)
				} else if w.seen(key) {
					found++
				}
			}
			if found < 100 {
				t.Errorf("only %d posts are shown", found)
			}
			if c := w.reread(false); c != (modelposts.Reread{}) || len(w.out.Log()) != requests {
				t.Errorf("the second time changed %+v, after %d requests", c, len(w.out.Log())-requests)
			}
			w.now = w.now.Add(26 * time.Hour)
			w.look()
			w.now = w.now.Add(10 * time.Second)
			w.look()
			newer := w.shown()
			if c := w.reread(false); c.Posts > 0 || !cmp.Equal(w.shown(), newer) {
				t.Errorf("an older answer changed %+v", c)
			}
		})
	}
}

// seen says whether the network has shown a post's numbers.
func (w *postWorld) seen(key string) bool {
	for _, p := range w.posts("metrics_at IS NOT NULL") {
		if p.Key.String() == key {
			return true
		}
	}
	return false
}
