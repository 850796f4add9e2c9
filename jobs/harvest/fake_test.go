package harvest_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A mailingList is an archive as Pipermail makes it, which grows: messages have
// numbers in the order in which they arrive, and are in the month and at the place
// of the date that their senders wrote.
type mailingList struct {
	mu     sync.Mutex
	mails  []listMail // Those that have arrived.
	noBulk bool
}

type listMail struct {
	number int
	period string
	sent   time.Time
	place  int // Among those of one date.
	page   func() []byte
	letter string // In the month's file; "" where there is no such file.
	title  string
	author string
}

func (l *mailingList) arrive(m listMail) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mails = append(l.mails, m)
}

// month returns what date.html shows of a period: in the order of dates.
func (l *mailingList) month(period string) (in []listMail) {
	for _, m := range l.mails {
		if m.period == period {
			in = append(in, m)
		}
	}
	slices.SortStableFunc(in, func(a, b listMail) int {
		if c := a.sent.Compare(b.sent); c != 0 {
			return c
		}
		return a.place - b.place
	})
	return in
}

// periods returns them newest first.
func (l *mailingList) periods() (names []string) {
	starts := map[string]time.Time{}
	for _, m := range l.mails {
		if _, ok := starts[m.period]; !ok {
			starts[m.period], _ = time.Parse("2006-January", m.period)
			names = append(names, m.period)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return starts[b].Compare(starts[a]) })
	return names
}

func (l *mailingList) file(period string) []byte {
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	for _, m := range slices.SortedFunc(slices.Values(l.month(period)), func(a, b listMail) int { return a.number - b.number }) {
		_, _ = gz.Write([]byte(m.letter))
	}
	_ = gz.Close()
	return b.Bytes()
}

func (l *mailingList) ServeHTTP(res http.ResponseWriter, req *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	path := strings.Trim(req.URL.Path, "/")
	path = strings.TrimPrefix(path, "list/")
	period, page, inPeriod := strings.Cut(path, "/")
	switch {
	case path == "list":
		_, _ = res.Write(l.root())
	case inPeriod && page == "date.html" && slices.Contains(l.periods(), period):
		_, _ = res.Write(l.index(period))
	case !l.noBulk && strings.HasSuffix(path, ".txt.gz"):
		_, _ = res.Write(l.file(strings.TrimSuffix(path, ".txt.gz")))
	default:
		for _, m := range l.mails {
			if m.period == period && fmt.Sprintf("%06d.html", m.number) == page {
				_, _ = res.Write(m.page())
				return
			}
		}
		http.NotFound(res, req)
	}
}

func (l *mailingList) root() []byte {
	var b bytes.Buffer
	b.WriteString("<html><head><title>The Tides Archives</title></head><body><table border=3><tr><td>Archive</td><td>View by:</td><td>Downloadable version</td></tr>\n")
	for _, p := range l.periods() {
		fmt.Fprintf(&b, `<tr><td>%s:</td><td><A href="%s/thread.html">[ Thread ]</a><A href="%s/date.html">[ Date ]</a></td>`, p, p, p)
		if !l.noBulk {
			size := len(l.file(p))
			label := fmt.Sprintf("%d bytes", size)
			if size >= 1000 {
				label = fmt.Sprintf("%d KB", size/1000)
			}
			fmt.Fprintf(&b, `<td><A href="%s.txt.gz">[ Gzip'd Text %s ]</a></td>`, p, label)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table></body></html>")
	return b.Bytes()
}

func (l *mailingList) index(period string) []byte {
	var b bytes.Buffer
	in := l.month(period)
	fmt.Fprintf(&b, "<html><head><title>%s</title>\n<META NAME=\"robots\" CONTENT=\"noindex,follow\"></head><body><a name=\"start\"></A>\n<p><b>Starting:</b> <i>x</i><br><b>Ending:</b> <i>x</i><br><b>Messages:</b> %d<p>\n<ul>\n", period, len(in))
	for _, m := range in {
		fmt.Fprintf(&b, "<LI><A HREF=\"%06d.html\">%s\n</A><A NAME=\"%d\">&nbsp;</A>\n<I>%s\n</I>\n\n", m.number, m.title, m.number, m.author)
	}
	b.WriteString("</ul><a name=\"end\"><b>Last message date:</b></a></body></html>")
	return b.Bytes()
}

// newMail writes a message as Mailman 2.1 shows it: with its id in the address that
// answers it.
func newMail(number int, sent time.Time) listMail {
	title, author := fmt.Sprintf("[Tides] Question %d", number), fmt.Sprintf("Sailor %d", number%17)
	id := fmt.Sprintf("m%d@tides.example.org", number)
	body := fmt.Sprintf("Is it true what they say of %d knots?\n%s", number, strings.Repeat("The sea is wide. ", number%40))
	return listMail{
		number: number, period: sent.Format("2006-January"), sent: sent, title: title, author: author,
		page: func() []byte {
			return fmt.Appendf(nil, "<HTML><HEAD><TITLE>%s</TITLE>\n<META NAME=\"robots\" CONTENT=\"index,nofollow\"></HEAD><BODY><H1>%s</H1>\n<B>%s</B>\n<A HREF=\"mailto:tides%%40example.org?In-Reply-To=%%3C%s%%3E\"\nTITLE=\"x\">sailor%d at example.org\n</A><BR>\n<I>%s</I>\n<HR>\n<!--beginarticle-->\n<PRE>%s\n</PRE>\n<!--endarticle-->\n</BODY></HTML>",
				title, title, author, strings.ReplaceAll(id, "@", "%40"), number%17, sent.Format("Mon Jan _2 15:04:05 UTC 2006"), body)
		},
		letter: fmt.Sprintf("From sailor%d at example.org  %s\nFrom: sailor%d at example.org (%s)\nDate: %s\nSubject: %s\nMessage-ID: <%s>\n\n%s\n\n",
			number%17, sent.Format(time.ANSIC), number%17, author, sent.Format(time.RFC1123Z), title, id, body),
	}
}

// tides are the messages of years in the order in which they arrive: every 20th was
// on its way for days or weeks, and of every 50th the date is wrong altogether.
func tides(n int, start time.Time) (all []listMail) {
	random := rand.New(rand.NewPCG(9, 0))
	at := start
	for i := range n {
		at = at.Add(time.Duration(random.IntN(16*24)) * time.Hour)
		sent := at
		switch {
		case i%50 == 49:
			sent = time.Date(1945+random.IntN(60), time.February, 1+random.IntN(20), 3, 0, 0, 0, time.UTC)
		case i%20 == 7:
			sent = at.Add(-time.Duration(random.IntN(40*24)) * time.Hour)
		case i%7 == 3: // Its clock is slow.
			sent = at.Add(-time.Duration(random.IntN(12*24)) * time.Hour)
		}
		m := newMail(i, sent.UTC())
		m.place = i
		all = append(all, m)
	}
	return all
}

// A naiveWalk is how one writes it first: from the newest period back, in each from
// the bottom up, until the first message that is known.
type naiveWalk struct{ seen map[string]bool }

func (n *naiveWalk) look(t *testing.T, l *mailingList) {
	t.Helper()
	for _, period := range l.periods() {
		for _, m := range slices.Backward(l.month(period)) {
			key := fmt.Sprintf("%s/%d", period, m.number)
			if n.seen[key] {
				return
			}
			n.seen[key] = true
		}
	}
}
