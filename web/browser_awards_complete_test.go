package main

import (
	"context"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// completes writes a task and its strategy with completion alone, and misspells a source.
func (w *walk) completes() {
	w.open("/admin/awards/new")
	w.until(func() bool { return js[bool](w.tab, `!!document.querySelector(".cm-line")`) }, func() string { return "there is no editor" })
	w.document(`{"slug": "explorer", "title": "Explorer", }`)
	w.keys("ArrowLeft", 1)
	for _, step := range []struct {
		typed, take string
		right       int // How far the end of what was begun is.
	}{
		{`"obj`, `"objectives"`, 0}, {`{}`, "", 0}, {``, "", -1}, {`"id`, `"id"`, 0}, {`navi`, "", 1},
		{`, "fil`, `"filters"`, 0}, {`{}`, "", 0}, {``, "", -1}, {`"na`, `"name"`, 0}, {`Sour`, `"SourceFilter"`, 0},
		{`, "con`, `"config"`, 0}, {`"so`, `"sources"`, 0}, {`"rev`, `"reviews"`, 3},
		{``, "", 1}, {`, "ru`, `"rule"`, 0}, {`"na`, `"name"`, 0}, {`Sum`, `"SumRule"`, 0}, {`, "con`, `"config"`, 0}, {`"fa`, `"fact"`, 0}, {`te`, `"text"`, 4},
		{`, "str`, `"strategy"`, 0}, {`"go`, `"goal"`, 0}, {`10, "str`, `"strategy"`, 0}, {`{}`, "", 0}, {``, "", -1},
		{`"nor`, `"normalization_factor"`, 0}, {`0.001, "ob`, `"objective_id"`, 0}, {`na`, `"navi"`, 3},
	} {
		if step.typed != "" {
			w.do(chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
				_, err := cdp.Call(ctx, s, input.InsertText, input.InsertTextParams{Text: step.typed})
				return err
			}))
		}
		if step.take != "" {
			w.take(step.take)
		}
		switch {
		case step.right < 0:
			w.keys("ArrowLeft", -step.right)
		case step.right > 0:
			w.keys("ArrowRight", step.right)
		}
	}
	got := strings.Join(strings.Fields(w.written()), " ")
	const want = `{"slug": "explorer", "title": "Explorer", "objectives": [{"id": "navi", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}], ` +
		`"rule": {"name": "SumRule", "config": {"fact": "text"}}}], "strategy": {"goal": 10, "strategy": [{"normalization_factor": 0.001, "objective_id": "navi"}]}}`
	if strings.ReplaceAll(got, ", }", "}") != want {
		w.t.Fatalf("by completion: %s\nwant %s", got, want)
	}
	w.document(strings.ReplaceAll(want, `"reviews"`, `"reveiws"`)) //nolint:misspell // On purpose.
	w.sees(`nothing of this name in 30 days; did you mean "reviews"?`)
	w.picture("8-completed")
}

func (w *walk) written() string {
	return js[string](w.tab, `document.querySelector("#document").value`)
}

// take accepts a completion when it is the one that is offered first.
func (w *walk) take(label string) {
	w.t.Helper()
	offered := func() string {
		return js[string](w.tab, `document.querySelector(".cm-tooltip-autocomplete li[aria-selected]")?.textContent ?? ""`)
	}
	w.until(func() bool { return strings.HasPrefix(offered(), label) }, func() string { return "not offered: " + label + ", but " + offered() + " in " + w.written() })
	before, shown := w.written(), time.Now()
	w.until(func() bool { return time.Since(shown) > 200*time.Millisecond }, nil) // What just appeared cannot be taken at once.
	at := js[[]float64](w.tab, `(() => { const r = document.querySelector(".cm-tooltip-autocomplete li[aria-selected]").getBoundingClientRect(); return [r.x + 9, r.y + 9]; })()`)
	w.do(chromedp.MouseClickXY(at[0], at[1]))
	w.until(func() bool { return w.written() != before }, func() string { return label + " is not taken" })
}

func (w *walk) keys(key string, times int) {
	code := map[string]string{"ArrowLeft": "\u0302", "ArrowRight": "\u0303"}[key]
	for range times {
		w.do(chromedp.KeyEvent(code))
	}
}
