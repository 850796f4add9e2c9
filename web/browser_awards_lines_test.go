package main

import (
	"strings"

	"github.com/chromedp/chromedp"
)

// strayNumbers names the numbers beside the JSON that do not stand with their
// line, within a pixel; "none" where there are no lines at all.
const strayNumbers = `(() => {
	const lines = [...document.querySelectorAll(".cm-line")].map(e => e.getBoundingClientRect());
	const numbers = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].filter(e => e.style.visibility !== "hidden");
	if (lines.length === 0 || numbers.length !== lines.length) return ["none: " + numbers.length + " numbers of " + lines.length + " lines"];
	return numbers.filter((e, i) => {
		const r = e.getBoundingClientRect();
		return Math.abs(r.top - lines[i].top) > 1 || Math.abs(r.height - lines[i].height) > 1;
	}).map(e => e.textContent);
})()`

// numbersStand sees that the numbers of lines are beside their lines, also where
// the editor is as narrow as on a phone. An editor that is out of sight does not
// measure its lines, so it is brought into sight.
func (w *walk) numbersStand() {
	w.t.Helper()
	if !w.scripts {
		return
	}
	for _, width := range []int64{1240, 390} {
		w.do(chromedp.EmulateViewport(width, 500))
		js[bool](w.tab, `document.querySelector(".cm-editor").scrollIntoView(), true`)
		stray := []string{"not looked at"}
		w.until(func() bool { stray = js[[]string](w.tab, strayNumbers); return len(stray) == 0 }, func() string {
			return "these numbers do not stand beside their lines: " + strings.Join(stray, ", ")
		})
	}
	w.do(chromedp.EmulateViewport(1240, 900))
}

// numbers looks at them in a new form, and with a line that needs several.
func (w *walk) numbers() {
	if !w.scripts {
		return
	}
	w.until(func() bool { return js[bool](w.tab, `!!document.querySelector(".cm-line")`) }, func() string { return "there is no editor" })
	w.numbersStand()
	w.document(strings.Replace(criticRight, "Three places", strings.Repeat("Three places ", 60), 1))
	w.numbersStand()
}
