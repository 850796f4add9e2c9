package profiles

import (
	"context"
	"html"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/texts"
)

// rowsWithHead writes the rows and what is above them. Written by hand and
// without the end tags that HTML does not need, twenty rows take 3 KB instead of 6.
func (t submissionRows) rowsWithHead(ctx context.Context) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := append(make([]byte, 0, 256*len(t.rows)+128), `<thead><tr>`...)
		for _, head := range []string{texts.T(ctx, "When"), texts.T(ctx, "Problem"), texts.T(ctx, "Site"),
			texts.T(ctx, "Result"), texts.T(ctx, "Language")} {
			b = append(b, `<th scope=col>`+head...)
		}
		b = append(b, `<tbody>`...)
		day := ""
		for i, s := range t.rows {
			if d := t.day(s); t.days != nil && (i == 0 || d != day) {
				b, day = t.appendDay(ctx, b, s, d), d
			}
			b = t.appendRow(ctx, b, s)
		}
		_, err := w.Write(b)
		return err
	})
}

// day is the day of a row; "" where nobody knows it.
func (t submissionRows) day(s Submission) string {
	if s.At.IsZero() {
		return ""
	}
	return s.At.In(t.now.Location()).Format(time.DateOnly)
}

// appendDay writes the heading of a day: "Sat 21 Nov: 60, 29 accepted".
func (t submissionRows) appendDay(ctx context.Context, b []byte, s Submission, day string) []byte {
	b = append(b, `<tr class=day><th colspan=5 scope=rowgroup>`...)
	if day == "" {
		return append(b, texts.T(ctx, "Day unknown")...)
	}
	at := s.At.In(t.now.Location())
	b = append(b, texts.Format(ctx, at, "Mon ")...)
	b = append(b, texts.Date(ctx, at, t.now)...)
	sum := t.days[day]
	b = append(b, `: `...)
	b = append(b, texts.Number(ctx, sum.Submitted)...)
	b = append(b, `<span class=soft>`...)
	b = append(b, texts.T(ctx, ", %s accepted", texts.Number(ctx, sum.Accepted))...)
	return append(b, `</span>`...)
}

func (t submissionRows) appendRow(ctx context.Context, b []byte, s Submission) []byte {
	b = append(b, "<tr><td>"...)
	switch {
	case s.At.IsZero():
		b = append(b, texts.T(ctx, "time unknown")...)
	case t.days != nil:
		b = append(b, s.At.In(t.now.Location()).Format("15:04")...)
	case t.brief:
		b = append(b, texts.Moment(ctx, s.At, t.now)...)
	default:
		b = append(b, texts.Exact(ctx, s.At, t.now)...)
	}
	b = append(b, "<th scope=row>"...)
	b = t.appendProblem(ctx, b, s)
	b = append(b, "<td>"...)
	b = append(b, html.EscapeString(s.Site)...)
	if s.Brought && !t.brief {
		b = append(b, " <span class=soft>"+texts.T(ctx, "brought")+"</span>"...)
	}
	b = append(b, "<td><b class="...)
	b = append(b, parts.StatusClass(s.Status)...)
	b = append(b, '>')
	if t.brief {
		b = append(b, html.EscapeString(s.Status)...)
	} else {
		b = parts.AppendLink(b, s.URL, s.Status)
	}
	b = append(b, "</b><td>"...)
	if t.brief { // Without the compiler's version.
		s.Language, _, _ = strings.Cut(s.Language, " (")
	}
	return append(b, html.EscapeString(s.Language)...)
}

// appendProblem links a problem to our own page of it; a list that is not brief leads to its site, too.
func (t submissionRows) appendProblem(ctx context.Context, b []byte, s Submission) []byte {
	if s.Page == "" {
		return parts.AppendLink(b, s.ProblemURL, s.Problem)
	}
	b = append(b, parts.Link{Href: s.Page, Text: s.Problem, Here: ""}.HTML()...)
	if t.brief || s.ProblemURL == "" {
		return b
	}
	b = append(b, ` <a class=out href="`...)
	b = append(b, html.EscapeString(string(templ.URL(s.ProblemURL)))...)
	b = append(b, `"><span aria-hidden=true>↗</span><span class=visually-hidden>`...)
	b = append(b, html.EscapeString(texts.T(ctx, "%s on %s", s.Problem, s.Site))...)
	return append(b, `</span></a>`...)
}

// statusChoices are all statuses, as text.
func statusChoices(ctx context.Context) []parts.Choice {
	cs := make([]parts.Choice, len(parts.Statuses))
	for i, s := range parts.Statuses {
		cs[i] = parts.Choice{Value: s.Status, Text: s.Status + " " + texts.Say(ctx, s.Label)}
	}
	return cs
}

// hitsWords are how many there are, and how many of them were accepted.
func hitsWords(ctx context.Context, p Submissions) string {
	words := texts.N(ctx, p.All, "%d submission", "%d submissions")
	if p.Filter.Status == "" {
		words += texts.T(ctx, ", %s accepted", parts.Percent(p.Accepted, p.All))
	}
	return words
}

// query is the filter as an address has it, without the leading ?.
func (f SubmissionFilter) query() url.Values {
	q := url.Values{}
	for _, p := range f.fields() {
		if p.Text != "" {
			q.Set(p.Value, p.Text)
		}
	}
	return q
}

// fields are the names of what can be asked for, and what is.
func (f SubmissionFilter) fields() []parts.Choice {
	return []parts.Choice{{Value: "site", Text: f.Site}, {Value: "status", Text: f.Status}, {Value: "language", Text: f.Language},
		{Value: "problem", Text: f.Problem}, {Value: "from", Text: f.From}, {Value: "to", Text: f.To}}
}

// chips are what is asked for in words, each with the address without it.
func (p Submissions) chips() (list []parts.Choice) {
	for _, f := range p.Filter.fields() {
		if f.Text == "" {
			continue
		}
		q := p.Filter.query()
		q.Del(f.Value)
		words := f.Text
		switch f.Value {
		case "site":
			for _, s := range p.Sites {
				if s.Value == f.Text {
					words = s.Text
				}
			}
		case "from", "to":
			words = f.Value + " " + f.Text
		}
		list = append(list, parts.Choice{Value: withQuery(parts.SubmissionsPath(p.Name), q), Text: words})
	}
	return list
}

// file is the address of all that suits the filter as CSV.
func (p Submissions) file() string {
	q := p.Filter.query()
	q.Set("format", "csv")
	return withQuery(parts.SubmissionsPath(p.Name), q)
}

func withQuery(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// noRowsText says why the list is empty, and what to do.
func noRowsText(ctx context.Context, p Submissions) string {
	switch {
	case p.Mistake != "":
		return texts.T(ctx, "Correct the filter to see results.")
	case p.Filter != (SubmissionFilter{}) && p.Pending:
		return texts.T(ctx, "No submissions match this filter yet. Some accounts are still loading.")
	case p.Filter != (SubmissionFilter{}):
		return texts.T(ctx, "No submissions match this filter.")
	case len(p.Sites) == 0:
		return texts.T(ctx, "No handles yet.")
	case p.Pending:
		return texts.T(ctx, "The first submissions are loading. Refresh in a moment.")
	}
	return texts.T(ctx, "No submissions yet.")
}
