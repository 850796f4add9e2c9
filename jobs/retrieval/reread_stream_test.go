package retrieval_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
	modelretrieval "laurel/models/retrieval"
)

// A brokenStream loses every second row of a page, and takes others for wrong.
type brokenStream struct{ sites.Streamer }

func (b brokenStream) StreamPage(ctx context.Context, get sites.Getter, from sites.StreamCursor) (sites.StreamPage, error) {
	p, err := b.Streamer.StreamPage(ctx, get, from)
	p.Rows = slices.DeleteFunc(p.Rows, func(r sites.StreamRow) bool { return r.At.Unix()%2 == 0 })
	for i := range p.Rows {
		if p.Rows[i].At.Unix()%3 == 0 {
			p.Rows[i].Status, p.Rows[i].Verdict = sites.OTH, "misread"
		}
	}
	return p, err
}

// What a broken reader lost of a stream comes back from its raw answers with a mended one, without a
// request; a dry run and a second run change nothing.
func TestRereadOfAStream(t *testing.T) {
	t.Parallel()
	for _, site := range []string{"atcoder", "timus"} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			w := newStreamWorld(t, site, standin.Options{Seed: 6, People: 12, Begin: modelstest.Noon.AddDate(0, -3, 0)})
			mended := w.streamer
			w.streamer = brokenStream{mended}
			for range 48 {
				w.read()
				w.clock.Pass(time.Hour)
			}
			w.streamer = mended
			w.out.Forget()
			lost := w.missing(3 * time.Hour)
			if lost < 5 {
				t.Fatalf("%d rows were lost: too few for the test", lost)
			}
			again := func(dry bool) (changed int) {
				t.Helper()
				err := w.RereadStreams(t.Context(), retrieval.RereadOrder{Site: site, DryRun: dry},
					func(_ *members.Account, c modelretrieval.Changes) error {
						changed += c.Inserted + c.Revised
						return nil
					})
				if err != nil {
					t.Fatal(err)
				}
				return changed
			}
			if n := again(true); n == 0 || w.missing(3*time.Hour) != lost {
				t.Errorf("a dry run would change %d rows, and %d are lost after it; want %d", n, w.missing(3*time.Hour), lost)
			}
			if n := again(false); n == 0 || w.missing(3*time.Hour) != 0 {
				t.Errorf("%d rows changed, and %d are lost", n, w.missing(3*time.Hour))
			}
			if n := again(false); n != 0 {
				t.Errorf("the second time changed %d rows", n)
			}
			if log := w.out.Log(); len(log) > 0 {
				t.Errorf("%d requests were made, the first to %s", len(log), log[0].URI)
			}
		})
	}
}

// Bulk checks and canaries are kept; who is deleted takes along those that name him or her.
func TestAnswersAboutManyAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 4, Begin: modelstest.Noon.AddDate(0, -1, 0)})
	var list []members.Member
	named := map[int64]string{}
	for _, p := range w.out.People()[:3] {
		list = append(list, modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now()))
		named[list[len(list)-1].ID] = p.Handles["codeforces"]
	}
	handle, _ := w.canary(t, "codeforces")
	w.round(t)
	w.checked(t, 2, bulkStep)
	site, _ := sites.ByName("codeforces")
	if err := w.ReadCanaries(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	kept := func(kind string) int {
		t.Helper()
		return jobstest.Count(t, w.DB, `SELECT count(*) FROM responses WHERE fetch_id IS NULL AND source = 'codeforces' AND kind = ?`, kind)
	}
	if kept("bulk") == 0 || kept("canary") == 0 {
		t.Fatalf("%d answers of bulk checks and %d of canaries are kept", kept("bulk"), kept("canary"))
	}
	canaries := kept("canary")
	slices.SortFunc(list, func(a, b members.Member) int { // Who is the canary goes last.
		return strings.Compare(strings.TrimPrefix(named[a.ID], handle), strings.TrimPrefix(named[b.ID], handle))
	})
	slices.Reverse(list)
	for i, m := range list {
		if err := accounts.Delete(t.Context(), w.DB.DB, m.ID); err != nil {
			t.Fatal(err)
		}
		want := canaries
		if named[m.ID] == handle {
			want = 0
		}
		if kept("bulk") != 0 || kept("canary") != want {
			t.Errorf("after member %d: %d answers of bulk checks are left, want none, and %d of canaries, want %d", i, kept("bulk"), kept("canary"), want)
		}
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM response_bodies b WHERE NOT EXISTS (SELECT FROM responses WHERE body_hash = b.hash)`); n > 0 {
		t.Errorf("%d bodies of nobody's answers are left", n)
	}
}
