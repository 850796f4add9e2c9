package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A sampleMail is a mail of an invented mailing list.
type sampleMail struct {
	number        int
	at            time.Time // When it came.
	dated         time.Time // What its sender's clock said.
	name, address string
	id, reply     string
	subject, body string
}

// A sampleList is an invented mailing list, whose archive is served as Mailman 2
// does. What comes later is not seen before its time.
type sampleList struct {
	name  string
	mails []sampleMail // In the order in which they came.
	now   func() time.Time
}

// months are the mails that have come by now, by the month of the archive, the
// oldest first.
func (l *sampleList) months() (names []string, by map[string][]sampleMail) {
	by = map[string][]sampleMail{}
	for _, m := range l.mails {
		if m.at.After(l.now()) {
			break
		}
		name := m.at.UTC().Format("2006-January")
		if by[name] == nil {
			names = append(names, name)
		}
		by[name] = append(by[name], m)
	}
	return names, by
}

// ServeHTTP answers below /pipermail/NAME/.
func (l *sampleList) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ours := strings.CutPrefix(r.URL.Path, "/pipermail/"+l.name+"/")
	names, by := l.months()
	period, page, inside := strings.Cut(path, "/")
	text := strings.TrimSuffix(path, ".txt.gz")
	switch {
	case !ours:
		http.NotFound(w, r)
	case path == "" || path == "index.html":
		l.send(w, r, l.root(names, by))
	case by[text] != nil && text != path:
		w.Header().Set("Content-Type", "application/gzip")
		_, _ = w.Write(packed(by[text])) // The client's loss.
	case inside && by[period] != nil && (page == "date.html" || page == "thread.html"):
		l.send(w, r, l.index(period, by[period]))
	case inside:
		for _, m := range by[period] {
			if page == fmt.Sprintf("%06d.html", m.number) {
				l.send(w, r, l.page(&m))
				return
			}
		}
		http.NotFound(w, r)
	default:
		http.NotFound(w, r)
	}
}

// send sends a page, or that it is as it was.
func (l *sampleList) send(w http.ResponseWriter, r *http.Request, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("ETag", fmt.Sprintf(`"%d-%d"`, len(page), strings.Count(page, "\n")))
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(page))
}

func (l *sampleList) root(names []string, by map[string][]sampleMail) string {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b,
		"<HTML><HEAD><title>The %s Archives</title></HEAD>\n<BODY><h1>The %[1]s Archives</h1>\n<p>An invented sample.</p>\n<table "+
			"border=3>\n<tr><td>Archive</td><td>View by:</td><td>Downloadable version</td></tr>\n", l.name)
	for _, name := range slices.Backward(names) {
		_, _ = fmt.Fprintf(&b,
			"<tr><td>%s:</td><td><A href=\"%[1]s/thread.html\">[ Thread ]</a> <A href=\"%[1]s/date.html\">[ Date ]</a></td>\n<td><A "+
				"href=\"%[1]s.txt.gz\">[ Gzip'd Text %d bytes ]</a></td></tr>\n", name, len(packed(by[name])))
	}
	return b.String() + "</table></BODY></HTML>\n"
}

func (l *sampleList) index(period string, mails []sampleMail) string {
	var b strings.Builder
	first, last := mails[0].at.Format(time.UnixDate), mails[len(mails)-1].at.Format(time.UnixDate)
	_, _ = fmt.Fprintf(&b,
		"<HTML><HEAD><title>The %s %s Archive by date</title></HEAD><BODY><h1>%[2]s</h1>\n<a name=\"start\"></A>\n<p><b>Starting:</b> "+
			"<i>%s</i><br>\n<b>Ending:</b> <i>%s</i><br>\n<b>Messages:</b> %d<p>\n<ul>\n", l.name, period, first, last, len(mails))
	for _, m := range mails {
		_, _ = fmt.Fprintf(&b, "<LI><A HREF=\"%06d.html\">%s\n</A><A NAME=\"%[1]d\">&nbsp;</A>\n<I>%[3]s\n</I>\n", m.number,
			html.EscapeString(m.subject), html.EscapeString(m.name))
	}
	_, _ = fmt.Fprintf(&b, "</ul>\n<a name=\"end\"><b>Last message date:</b></a> <i>%s</i>\n</BODY></HTML>\n", last)
	return b.String()
}

func (l *sampleList) page(m *sampleMail) string {
	return fmt.Sprintf(`<HTML><HEAD><TITLE> %[1]s</TITLE>
<LINK REL="made" HREF="mailto:%[2]s%%40sample.invalid?Subject=Re&In-Reply-To=%%3C%[3]s%%3E">
<META http-equiv="Content-Type" content="text/html; charset=utf-8"></HEAD>
<BODY><H1>%[1]s</H1>
<B>%[4]s</B>
<A HREF="mailto:%[2]s%%40sample.invalid?Subject=Re&In-Reply-To=%%3C%[3]s%%3E" TITLE="%[1]s">%[5]s</A><BR>
<I>%[6]s</I>
<HR>
<!--beginarticle-->
<PRE>%[7]s
</PRE>
<!--endarticle-->
</BODY></HTML>
`, html.EscapeString(m.subject), l.name, m.id, html.EscapeString(m.name), html.EscapeString(obscured(m.address)),
		m.dated.UTC().Format(time.UnixDate), html.EscapeString(m.body))
}

func obscured(address string) string { return strings.Replace(address, "@", " at ", 1) }

// packed are mails as the archive offers a month in one piece.
func packed(mails []sampleMail) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, m := range mails {
		reply := ""
		if m.reply != "" {
			reply = "In-Reply-To: <" + m.reply + ">\n"
		}
		_, _ = fmt.Fprintf(z, "From %s  %s\nFrom: %[1]s (%[3]s)\nDate: %[4]s\nSubject: %[5]s\n%[6]sMessage-ID: <%[7]s>\n\n",
			obscured(m.address), m.dated.UTC().Format(time.ANSIC), m.name, m.dated.Format(time.RFC1123Z), m.subject, reply, m.id)
		_, _ = io.WriteString(z, m.body+"\n\n") // Memory takes all.
	}
	_ = z.Close()
	return b.Bytes()
}
