package profiles

import (
	"context"
	"io"
	"slices"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// SitesSums is the table of sums by site, and of how the submissions ended.
// Like the rows of submissions it is written by hand, without the end tags that
// HTML does not need.
func SitesSums(ctx context.Context, c AccountsCard) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		had := statusesOf(c.Accounts)
		b := append(make([]byte, 0, 3<<10), `<table class=nums><thead><tr>`...)
		for _, head := range []string{texts.T(ctx, "Site"), texts.T(ctx, "Solved"), texts.T(ctx, "Submissions"), texts.T(ctx, "Accepted")} {
			b = append(b, `<th scope=col>`+head...)
		}
		b = append(b, `<th scope=col><span class=visually-hidden>`+texts.T(ctx, "Picture")+`</span>`...)
		for _, s := range had {
			b = append(b, `<th scope=col><abbr title="`...)
			b = append(b, texts.Say(ctx, s.Label)...)
			b = append(b, `">`...)
			b = append(b, s.Status...)
			b = append(b, `</abbr>`...)
		}
		b = append(b, `<tbody>`...)
		for _, a := range c.Accounts {
			b = appendSums(ctx, b, parts.SubmissionsPath(c.Name), a, had)
		}
		_, err := w.Write(append(b, `</table>`...))
		return err
	})
}

// sums are the cells of a site, without how its submissions ended.
func sums(ctx context.Context, a Account) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(appendCells(ctx, make([]byte, 0, 512), a, nil))
		return err
	})
}

// appendSums writes the row of a site.
func appendSums(ctx context.Context, b []byte, path string, a Account, had []parts.Status) []byte {
	b = append(b, `<tr><th scope=row>`...)
	b = parts.AppendLink(b, path+"?site="+a.Site, a.Title)
	if a.Mark.Sign != "" {
		b = append(b, ` <span class=mk title="`...)
		b = append(b, a.Mark.Words...)
		b = append(b, `"><span aria-hidden=true>`...)
		b = append(b, a.Mark.Sign...)
		b = append(b, `</span><span class=visually-hidden>(`...)
		b = append(b, a.Mark.Words...)
		b = append(b, `)</span></span>`...)
	}
	return appendCells(ctx, b, a, had)
}

func appendCells(ctx context.Context, b []byte, a Account, had []parts.Status) []byte {
	b = appendFigures(ctx, b, a)
	b = append(b, `<td>`...)
	b = appendStatusBar(b, a.Statuses)
	for _, s := range had {
		b = append(b, `<td>`...)
		b = append(b, texts.Number(ctx, countOf(a.Statuses, s.Status))...)
	}
	return b
}

// appendStatusBar draws counts as one bar, 100 units wide: accepted, partly,
// refused, other. The table around it has the numbers.
func appendStatusBar(b []byte, counts []parts.StatusCount) []byte {
	total := 0
	sums := map[string]int{}
	for _, c := range counts {
		total += c.Count
		sums[parts.StatusClass(c.Status)] += c.Count
	}
	if total == 0 {
		return b
	}
	b = append(b, `<svg class=bar viewBox="0 0 100 6" preserveAspectRatio=none aria-hidden=true>`...)
	x := 0
	for _, class := range []string{"ac", "ps", "no", "oth"} {
		if sums[class] == 0 {
			continue
		}
		width := max(1, sums[class]*100/total)
		b = append(b, `<path class=`...)
		b = append(b, class...)
		b = append(b, ` d="M`...)
		b = charts.AppendInt(b, x)
		b = append(b, ` 3h`...)
		b = charts.AppendInt(b, width)
		b = append(b, `"/>`...)
		x += width
	}
	return append(b, `</svg>`...)
}

func countOf(counts []parts.StatusCount, status string) int {
	n := 0
	for _, c := range counts {
		if c.Status == status {
			n += c.Count
		}
	}
	return n
}

// statusesOf are the statuses that any of the accounts has, in the order of tables.
func statusesOf(accounts []Account) []parts.Status {
	var had []parts.Status
	for _, s := range parts.Statuses {
		if slices.ContainsFunc(accounts, func(a Account) bool { return countOf(a.Statuses, s.Status) > 0 }) {
			had = append(had, s)
		}
	}
	return had
}

// solvedNumber is "-" as long as nothing can be known.
func solvedNumber(ctx context.Context, a Account) string {
	if a.CompleteUntil.IsZero() && a.Submissions == 0 {
		return "-"
	}
	return texts.Number(ctx, a.Solved)
}
