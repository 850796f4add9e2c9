package bench_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/bench"
	"laurel/jobs/forums"
	"laurel/jobs/harvest"
	"laurel/jobs/jobstest"
	pg "laurel/models/db"
	forumrows "laurel/models/forums"
	"laurel/models/modelstest"
)

const (
	listMonths   = 50
	listMessages = 5000
)

// instantList is an archive as Pipermail makes it, whose pages are ready.
func instantList() map[string][]byte {
	pages, root := map[string][]byte{}, &bytes.Buffer{}
	root.WriteString("<html><body><table><tr><td>Archive</td><td>View by:</td><td>Downloadable version</td></tr>\n")
	for m := range listMonths {
		month := time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC).AddDate(0, listMonths-m, 0)
		name := month.Format("2006-January")
		var index, file bytes.Buffer
		n := listMessages / listMonths
		fmt.Fprintf(&index, "<html><META NAME=\"robots\" CONTENT=\"noindex,follow\"><body><a name=\"start\"></A><b>Starting:</b> <i>x</i><br><b>Ending:</b> <i>x</i><br><b>Messages:</b> %d<p>\n<ul>\n", n)
		gz := gzip.NewWriter(&file)
		for i := range n {
			number := (listMonths-m)*n + i
			sent, author, title := month.Add(time.Duration(i)*6*time.Hour), fmt.Sprintf("Sailor %d", number%97), fmt.Sprintf("[Tides] Question %d", number/5)
			id := fmt.Sprintf("m%d@tides.example.org", number)
			body := strings.Repeat(fmt.Sprintf("What do you say of the tide at %d, and of the wind?\n> They said: %d knots.\n", number, number%40), 8+number%25)
			fmt.Fprintf(&index, "<LI><A HREF=\"%06d.html\">%s\n</A><A NAME=\"%d\">&nbsp;</A>\n<I>%s\n</I>\n\n", number, title, number, author)
			fmt.Fprintf(gz, "From sailor at example.org  %s\nFrom: sailor%d at example.org (%s)\nDate: %s\nSubject: %s\nMessage-ID: <%s>\n\n%s\n\n", sent.Format(time.ANSIC), number%97, author, sent.Format(time.RFC1123Z), title, id, body)
			pages[fmt.Sprintf("%s/%06d.html", name, number)] = fmt.Appendf(nil, "<HTML><HEAD><TITLE>%s</TITLE><META NAME=\"robots\" CONTENT=\"index,nofollow\"></HEAD><BODY><H1>%s</H1>\n<B>%s</B>\n<A HREF=\"mailto:x?In-Reply-To=%%3C%s%%3E\">sailor%d at example.org\n</A><BR>\n<I>%s</I>\n<HR>\n<!--beginarticle-->\n<PRE>%s</PRE>\n<!--endarticle--></BODY></HTML>",
				title, title, author, strings.ReplaceAll(id, "@", "%40"), number%97, sent.Format("Mon Jan _2 15:04:05 UTC 2006"), strings.ReplaceAll(body, ">", "&gt;"))
		}
		index.WriteString("</ul><a name=\"end\"></a></body></html>")
		_ = gz.Close()
		pages[name+"/date.html"], pages[name+".txt.gz"] = index.Bytes(), file.Bytes()
		fmt.Fprintf(root, "<tr><td>%s:</td><td><A href=\"%s/date.html\">[ Date ]</a></td><td><A href=\"%s.txt.gz\">[ Gzip'd Text %d KB ]</a></td></tr>\n", name, name, name, file.Len()/1000)
	}
	root.WriteString("</table></body></html>")
	pages[""] = root.Bytes()
	return pages
}

// BenchmarkHarvest prints what a harvest of 5,000 messages costs from a host that
// answers at once and wants no gaps: against the same requests alone, read by the
// same reader, and one statement that stores the same rows in the same table. In one
// piece, which is how it is done and may take two and a half times as long, page by page,
// where each message is committed by itself, and the one against the other.
func BenchmarkHarvest(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	pages := instantList()
	took := map[bool]time.Duration{}
	for _, bulk := range []bool{true, false} {
		srv := httptest.NewServer(http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
			page, ok := pages[strings.TrimPrefix(req.URL.Path, "/list/")]
			if !ok || !bulk && strings.HasSuffix(req.URL.Path, ".gz") {
				http.NotFound(res, req)
				return
			}
			_, _ = res.Write(page)
		}))
		what := map[bool]string{true: "in one piece", false: "page by page"}[bulk]
		passes := map[bool]int{true: 3, false: 1}[bulk] // The latter commits each message by itself, which takes its time.
		var pairs []pair
		for range passes {
			pairs = append(pairs, pair{harvestOnce(b, srv.URL+"/list/"), bareOnce(b, srv.URL+"/list/", bulk)})
		}
		srv.Close()
		slices.SortFunc(pairs, func(x, y pair) int { return cmp.Compare(x.ratio(), y.ratio()) })
		p := pairs[len(pairs)/2]
		took[bulk] = p.first
		bench.Ratio("harvest of 5,000 messages, "+what, ms(p.first), ms(p.second), "ms", "bare HTTP, the same reader, one INSERT")
		if bulk && p.ratio() > 2.5 {
			b.Errorf("%s: %.2f times the bare cost, want at most 2.5", what, p.ratio())
		}
	}
	bench.Ratio("harvest of 5,000 messages: in one piece", ms(took[true]), ms(took[false]), "ms", "page by page")
}

// harvestOnce reads the archive with all that a harvest is.
func harvestOnce(b *testing.B, address string) time.Duration {
	b.Helper()
	db := modelstest.Open(b)
	defer db.Close()
	_, _, err := forumrows.Add(b.Context(), db.DB, forumrows.New{Slug: "tides", Kind: "pipermail", URL: address}, []string{"pipermail"}, time.Now())
	ok(b, err)
	client := jobstest.NewClient(db, time.Now, address)
	client.Rate = 1e9
	r := &harvest.Jobs{DB: db, Now: time.Now, Log: slog.New(slog.DiscardHandler), URL: "https://laurel.example.org", Client: client}
	start := time.Now()
	run, _, err := r.HarvestOne(b.Context(), "tides")
	took := time.Since(start)
	ok(b, err)
	if run.New != listMessages || run.Outcome != pg.OutcomeOK {
		b.Fatalf("the run is %+v", run)
	}
	return took
}

// bareOnce makes the same requests, reads the answers and stores the same rows by
// one statement.
func bareOnce(b *testing.B, address string, bulk bool) time.Duration {
	b.Helper()
	db := modelstest.Open(b)
	defer db.Close()
	ok(b, db.Exec(`INSERT INTO forums (slug, name, kind, url, added_at) VALUES ('tides', 'tides', 'pipermail', @url, @now)`, map[string]any{"url": address, "now": time.Now()}).Error)
	start := time.Now()
	kind, _ := forums.ByName("pipermail")
	client := &http.Client{}
	read := func(s forums.Step) forums.Found {
		res, err := client.Get(s.Address)
		ok(b, err)
		body, err := io.ReadAll(res.Body)
		ok(b, err)
		ok(b, res.Body.Close())
		found, err := kind.Read(s, forums.Answer{Status: res.StatusCode, Header: res.Header.Get, Body: body})
		if res.StatusCode == http.StatusOK {
			ok(b, err)
		}
		return found
	}
	step, err := kind.Start(address)
	ok(b, err)
	var mails []forums.Mail
	for _, span := range read(step).Spans {
		month := read(span.Index)
		mails = append(mails, read(*month.Bulk).Messages...)
		if !bulk {
			for _, s := range month.Steps {
				mails = append(mails, read(s).Messages...)
			}
		}
	}
	var urls, ids, authors, addresses, subjects, shown, bodies, periods []string
	var sent []time.Time
	for i := range mails {
		m := &mails[i]
		urls, ids, authors, addresses = append(urls, m.URL), append(ids, m.MessageID), append(authors, m.Author), append(addresses, m.Address)
		subjects, shown, bodies, periods, sent = append(subjects, m.Subject), append(shown, m.SentShown), append(bodies, m.Body), append(periods, m.Period), append(sent, m.SentAt)
	}
	res := db.Exec(`
		INSERT INTO messages (forum_id, url, message_id, author, address, subject, sent_shown, body, period, sent_at, placed_at, stored_at)
		SELECT f.id, u, i, a, d, s, w, t, p, at, at, @now FROM forums f,
			unnest(CAST(@u AS text[]), CAST(@i AS text[]), CAST(@a AS text[]), CAST(@d AS text[]), CAST(@s AS text[]), CAST(@w AS text[]), CAST(@t AS text[]), CAST(@p AS text[]), CAST(@at AS timestamptz[])) x(u, i, a, d, s, w, t, p, at)`,
		map[string]any{"now": time.Now(), "u": &urls, "i": &ids, "a": &authors, "d": &addresses, "s": &subjects, "w": &shown, "t": &bodies, "p": &periods, "at": &sent})
	ok(b, res.Error)
	if res.RowsAffected != listMessages {
		b.Fatalf("%d rows", res.RowsAffected)
	}
	return time.Since(start)
}
