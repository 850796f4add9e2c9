package harvest_test

import (
	"net/http"
	"testing"
	"time"

	"laurel/jobs/harvest"
	"laurel/models/forums"
)

// rereadForum reads all answers of the only forum again.
func (w *archiveWorld) rereadForum(dry bool) (c forums.Reread) {
	w.t.Helper()
	err := w.Reread(w.t.Context(), harvest.RereadOrder{Forum: "berths", DryRun: dry}, func(_ *forums.Forum, found forums.Reread) error {
		c = found
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// damage leaves messages as a broken reader would: some not found at all, some misread.
func (w *archiveWorld) damage() (gone, misread int) {
	w.t.Helper()
	res := w.DB.Exec(`DELETE FROM messages WHERE serial % 5 = 0`)
	gone = int(res.RowsAffected)
	w.must(res.Error)
	w.must(w.DB.Exec(`DELETE FROM forum_threads t WHERE NOT EXISTS (SELECT FROM messages m WHERE m.thread_id = t.id)`).Error)
	w.must(w.DB.Exec(`UPDATE forums SET messages = (SELECT count(*) FROM messages)`).Error)
	res = w.DB.Exec(`UPDATE messages SET subject = '?', body = '', author = 'nobody', sent_at = NULL, placed_at = '0001-01-01',
		message_id = '', in_reply_to = '', thread = '' WHERE serial % 3 = 0`)
	w.must(res.Error)
	w.must(w.DB.Exec(`DELETE FROM forum_months`).Error)
	w.must(w.DB.Exec(`INSERT INTO forum_months SELECT forum_id, CAST(date_trunc('month', placed_at AT TIME ZONE 'UTC') AS date), count(*)
		FROM messages GROUP BY 1, 2`).Error)
	return gone, int(res.RowsAffected)
}

func (w *archiveWorld) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// sums are what pages show of a forum as a whole; they are counted by the plainest means, too.
func (w *archiveWorld) sums() (shown, counted string) {
	w.t.Helper()
	w.must(w.DB.Raw(`
		SELECT concat_ws('|', (SELECT messages FROM forums), (SELECT count(*) FROM forum_threads), (SELECT sum(messages) FROM forum_threads),
			(SELECT string_agg(month || ' ' || messages, ',' ORDER BY month) FROM forum_months))`).Scan(&shown).Error)
	w.must(w.DB.Raw(`
		SELECT concat_ws('|', count(*), count(DISTINCT thread_id), count(*), (
			SELECT string_agg(month || ' ' || n, ',' ORDER BY month) FROM (
				SELECT CAST(date_trunc('month', placed_at AT TIME ZONE 'UTC') AS date) AS month, count(*) AS n FROM messages GROUP BY 1) m))
		FROM messages`).Scan(&counted).Error)
	return shown, counted
}

// What a broken reader lost and misread comes back from the raw answers, without a request;
// when nothing is wrong, nothing changes.
func TestRereadMendsAForum(t *testing.T) {
	eachHarbour(t, func(t *testing.T, h *harbour, w *archiveWorld, _ int) {
		w.harvest("berths")
		h.locked(func() { h.grow(30) })
		w.clock.Pass(24 * time.Hour)
		w.harvest("berths")
		before, _ := w.sums()
		w.requests()
		if c := w.rereadForum(false); c != (forums.Reread{}) {
			t.Errorf("a right reading changed %+v", c)
		}
		gone, misread := w.damage()
		want := forums.Reread{New: gone, Changed: misread}
		if c := w.rereadForum(true); c != want {
			t.Errorf("the dry run says %+v, want %+v", c, want)
		}
		if c := w.rereadForum(false); c != want {
			t.Errorf("reread %+v, want %+v", c, want)
		}
		h.stored(t, w)
		if shown, counted := w.sums(); shown != counted || shown != before {
			t.Errorf("the sums are\n%s, counted\n%s, before\n%s", shown, counted, before)
		}
		if c := w.rereadForum(false); c != (forums.Reread{}) {
			t.Errorf("the second time changed %+v", c)
		}
		if asked := w.requests(); len(asked) > 0 {
			t.Errorf("rereading asked for %q", asked)
		}
	})
}

// The same for an archive of periods, whose months are read as files and page by page; an answer
// that nobody understood is told when somebody does.
func TestRereadMendsPeriods(t *testing.T) {
	t.Parallel()
	for _, noBulk := range []bool{false, true} {
		l := twoMonths()
		l.noBulk = noBulk
		w := newArchiveWorld(t, l)
		w.add("berths", "pipermail", "/list/")
		if run := w.harvest("berths"); run.New != 6 {
			t.Fatalf("%+v", run)
		}
		dump := func() (text string) {
			w.must(w.DB.Raw(`
				SELECT string_agg(concat_ws('|', url, message_id, in_reply_to, thread, period, number, author, address, subject, sent_at,
					sent_shown, placed_at, approximate, body), E'\n' ORDER BY url) FROM messages`).Scan(&text).Error)
			return text
		}
		before := dump()
		if c := w.rereadForum(false); c != (forums.Reread{}) {
			t.Errorf("a right reading changed %+v", c)
		}
		gone, misread := w.damage()
		w.must(w.DB.Exec(`UPDATE responses SET readable = false WHERE id = (SELECT max(id) FROM responses)`).Error)
		if c, want := w.rereadForum(false), (forums.Reread{New: gone, Changed: misread, Answers: 1}); c != want {
			t.Errorf("reread %+v, want %+v", c, want)
		}
		if after := dump(); after != before {
			t.Errorf("without bulk %v: messages are\n%s\nwant\n%s", noBulk, after, before)
		}
	}
}

// What is not understood is kept, and what robots may not store is not.
func TestAnswersThatAreKept(t *testing.T) {
	t.Parallel()
	count := func(w *archiveWorld, which string) (n int) {
		w.must(w.DB.Raw(`SELECT count(*) FROM responses WHERE ` + which).Scan(&n).Error)
		return n
	}
	l := twoMonths()
	w := newArchiveWorld(t, twist(l, map[string]http.HandlerFunc{"/2025-November/date.html": sends([]byte("<p>A new design."))}))
	w.add("berths", "pipermail", "/list/")
	w.harvest("berths")
	if n := count(w, "NOT readable AND address LIKE '%November/date.html'"); n != 1 {
		t.Errorf("%d unreadable answers are kept, want 1", n)
	}
	if n := count(w, "lasting AND id NOT IN (SELECT response_id FROM messages) OR NOT lasting AND id IN (SELECT response_id FROM messages)"); n != 0 {
		t.Errorf("%d answers are kept for good without messages, or not with some", n)
	}
	l = twoMonths()
	w = newArchiveWorld(t, twist(l, map[string]http.HandlerFunc{".gz": status(http.StatusNotFound), "000004.html": func(res http.ResponseWriter, req *http.Request) {
		res.Header().Set("X-Robots-Tag", "noindex")
		l.ServeHTTP(res, req)
	}}))
	w.add("berths", "pipermail", "/list/")
	w.harvest("berths")
	if n := count(w, "address LIKE '%000004.html'"); n != 0 {
		t.Error("an answer is kept that asks robots not to")
	}
}
