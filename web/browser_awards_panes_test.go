package main

import "github.com/chromedp/chromedp"

// bothPanes sees that form and JSON stand side by side on a desk and below each other on a phone, and that a mistake
// is in both.
func (w *walk) bothPanes() {
	w.t.Helper()
	w.until(func() bool {
		words, err := tryJS[bool](w.tab, `document.querySelector("#fields").innerText.includes("no filter is named")`)
		return err == nil && words
	}, func() string { return "the form does not say what is wrong" })
	w.press("Show in the form")
	if w.scripts {
		if id := js[string](w.tab, `document.activeElement.id`); id != "at-objectives-0-filters-1-config-allowed_length" {
			w.t.Errorf("the link leads to %q", id)
		}
	}
	const beside = `(() => {
		const [form, json] = ["#fields", "#json"].map(s => document.querySelector(s).getBoundingClientRect());
		return form.right <= json.left ? "beside" : form.bottom <= json.top ? "below" : "over";
	})()`
	for _, size := range []struct {
		width, height int64
		want          string
	}{{1280, 900, "beside"}, {1600, 900, "beside"}, {390, 844, "below"}} {
		w.do(chromedp.EmulateViewport(size.width, size.height))
		if got := js[string](w.tab, beside); got != size.want {
			w.t.Errorf("%d pixels wide, the JSON is %s the form, want %s", size.width, got, size.want)
		}
		if size.width != 1280 {
			w.picture("2-at-" + map[int64]string{1600: "1600", 390: "phone"}[size.width])
		}
	}
	w.do(chromedp.EmulateViewport(1240, 900))
}
