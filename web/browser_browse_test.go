package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"
)

// rows are the submissions that a page lists.
func (w *walk) rows() []string {
	w.t.Helper()
	return js[[]string](w.tab, `[...document.querySelectorAll("table.subs tbody tr:not(.day)")].map(r => r.innerText.replace(/\s+/g, " "))`)
}

// browse filters and pages through the submissions.
func (w *walk) browse() {
	w.follow(w.words(`.recent h2 a`))
	w.sees("Submissions of", "times in Europe/Riga", "% accepted")
	newest := w.rows()
	w.follow("Older →")
	older := w.rows()
	if len(newest) != 50 || len(older) != 50 || newest[49] == older[0] || newest[0] == older[0] {
		w.t.Errorf("pages of %d and %d rows, the second begins with %q", len(newest), len(older), older[0])
	}
	w.follow("← Newer")
	if back := w.rows(); !slices.Contains(back, newest[25]) { // The first ones may have been judged meanwhile, and others been added.
		w.t.Errorf("the way back leads to other rows: %q, want %q", back[25], newest[25])
	}
	w.choose("Site", "AtCoder")
	w.choose("Result", "AC Accepted")
	w.follow("Show")
	for _, r := range w.rows() {
		if !strings.Contains(r, "AtCoder") || !strings.Contains(r, " AC ") {
			w.t.Errorf("the filter lets %q through", r)
		}
	}
	w.fill("Problem", "no problem is called so")
	w.follow("Show")
	w.sees("No submissions match this filter")
	w.follow("Clear")
	if len(w.rows()) != 50 {
		w.t.Errorf("without a filter: %d rows", len(w.rows()))
	}
}

var withoutDetails = regexp.MustCompile(`(\d+) more without details`)

// days looks at a day through the table, and through the picture of the year.
func (w *walk) days() {
	w.goTo("Profile")
	w.follow("as a table")
	w.sees("Days", "days in Europe/Riga")
	day := w.words(".month td a")
	w.follow(day)
	_, count, _ := strings.Cut(day, " ")
	got := js[int](w.tab, "document.querySelectorAll('table.subs tbody tr:not(.day)').length")
	if m := withoutDetails.FindStringSubmatch(w.text()); m != nil {
		more, _ := strconv.Atoi(m[1])
		got += more
	}
	if fmt.Sprint(got) != count {
		w.t.Errorf("the day has %d rows and counts, the table of days says %s", got, count)
	}
	w.goTo("Profile")
	if counted := js[string](w.tab, `document.querySelector(".heat svg").dataset.undetailed || ""`); !strings.Contains(counted, ":") {
		w.t.Error("the picture of the year has none of the days that LeetCode counts")
	}
	at := js[place](w.tab, `(() => {
		const svg = document.querySelector(".heat svg");
		svg.scrollIntoView({block: "center", behavior: "instant"});
		const r = svg.getBoundingClientRect(), unit = r.height / 8;
		return {x: r.right - 2.5 * unit, y: r.top + 3.5 * unit, tag: "day"};
	})()`)
	if _, err := chromedp.RunResponse(w.ctx, chromedp.MouseClickXY(at.X, at.Y)); err != nil {
		w.fatalf("press a day of the picture: %v", err)
	}
	if w.scripts {
		w.sees("Submissions", "Clear") // Of that day alone.
		if here := js[string](w.tab, "location.search"); !strings.HasPrefix(here, "?from=20") {
			w.t.Errorf("a day of the picture leads to %s", here)
		}
	} else {
		w.sees("Days", "days in Europe/Riga")
	}
	w.goTo("Profile")
	w.follow(w.words(`.ratings h2 a`))
	w.sees("Contest", "Rank", "Change")
}
