package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take to show what is waited for, on a machine
// that does much else.
const patience = 2 * time.Minute

// openBrowser starts a headless Chromium, or skips the test where there is none.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium, chromium-browser or google-chrome in PATH: pages are not tested in a browser; `make browser` installs one")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// One process for pages, and none in reserve: all pages are ours.
		chromedp.Flag("disable-site-isolation-trials", true), chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess"),
		// Each page is seen for a moment: what compiles its scripts for a long run takes more than it gives.
		chromedp.Flag("js-flags", "--no-opt --no-maglev"),
		chromedp.WSURLReadTimeout(patience))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...) // Not t's context: it ends before the cleanups.
	t.Cleanup(stop)
	ctx, quit := chromedp.NewContext(ctx)
	t.Cleanup(quit)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	return ctx
}

// A tab is a page of a browser with cookies of its own, as one person has it.
type tab struct {
	t        *testing.T
	ctx      context.Context
	base     string // Of the server, in front of every path.
	troubles *troubles
	plain    bool // No script of the page runs.
}

// newTab opens a tab of somebody who has not been here before. When the test
// ends, it fails if the browser complained about any page.
func newTab(t *testing.T, browser context.Context, base string) *tab {
	t.Helper()
	ctx, done := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	p := &tab{t: t, ctx: ctx, base: base, troubles: &troubles{requests: map[network.RequestID]string{}}}
	t.Cleanup(func() {
		done()
		for _, words := range p.troubles.take() {
			t.Errorf("the browser complains: %s", words)
		}
	})
	if err := chromedp.Do(ctx); err != nil { // The tab lives as long as the context of its first call.
		t.Fatal(err)
	}
	p.do(chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
		_, err := cdp.Call(ctx, s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}), chromedp.EmulateViewport(1240, 900))
	if err := chromedp.Listen(ctx, p.troubles.hear); err != nil {
		t.Fatal(err)
	}
	return p
}

// do runs actions, or fails the test.
func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.fatalf("%v", err)
	}
}

// js evaluates an expression in the page.
func js[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := tryJS[T](p, expression)
	if err != nil {
		p.fatalf("%v\nin %s", err, expression)
	}
	return v
}

// tryJS fails also where the page is just being exchanged.
func tryJS[T any](p *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// fatalf says also what the page shows.
func (p *tab) fatalf(format string, args ...any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	where, _ := chromedp.Run(ctx, chromedp.Location())
	shown, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText"))
	p.shoot("failed-" + strings.ReplaceAll(p.t.Name(), "/", "-"))
	p.t.Fatalf("%s\n%s shows:\n%s\ncomplaints: %q", fmt.Sprintf(format, args...), where, shown, p.troubles.take())
}

// open goes to a path.
func (p *tab) open(path string) {
	p.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = p.base + path
	}
	p.until(func() bool { // A page that renews itself just now gets in the way.
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		defer cancel()
		err := chromedp.Do(ctx, chromedp.Navigate(path))
		if err != nil && !strings.Contains(err.Error(), "ERR_ABORTED") {
			p.fatalf("open %s: %v", path, err)
		}
		return err == nil
	}, func() string { return "cannot open " + path })
}

// finding is what a person does to find something: read what is visible. It
// returns the place of the first thing with these words in the window.
const finding = `((selector, words) => {
	const said = s => s.replace(/\s+/g, " ").trim();
	const seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && e.getClientRects().length > 0;
	const all = [...document.querySelectorAll(selector)]; // What the page itself has, before the frame around it.
	for (let e of [...all.filter(e => e.closest("main")), ...all.filter(e => !e.closest("main"))]) {
		const own = e.matches("label") ? [...e.childNodes].map(n => n.nodeType === 3 ? n.data : "").join("") : e.innerText;
		if (!seen(e) || said(own) !== words && e.getAttribute("aria-label") !== words) continue;
		if (e.tagName === "LABEL") {
			if (!e.control) return {why: "the label belongs to no field"};
			e = e.control;
		}
		e.scrollIntoView({block: "center", behavior: "instant"});
		const r = e.getClientRects()[0], x = r.x + r.width / 2, y = r.y + r.height / 2, hit = document.elementFromPoint(x, y);
		if (!e.contains(hit)) return {why: "it is covered by " + (hit ? hit.outerHTML.slice(0, 200) : "nothing")};
		if (e.matches("input:not([type=checkbox],[type=radio]),textarea")) { e.focus(); e.select && e.type !== "date" && e.select(); }
		return {x, y, tag: e.tagName + (e.type ? " " + e.type : "")};
	}
	return {why: "nothing visible is called that"};
})`

type place struct {
	X, Y     float64
	Tag, Why string
}

// find waits until something of the kind can be seen.
func (p *tab) find(selector, words string) place {
	p.t.Helper()
	arguments, _ := json.Marshal([]string{selector, words}) // Strings: it cannot fail.
	var found place
	p.until(func() bool {
		var err error
		if found, err = tryJS[place](p, finding+"(..."+string(arguments)+")"); err != nil {
			found.Why = err.Error()
		}
		return found.Why == ""
	}, func() string { return words + ": " + found.Why })
	return found
}

const pressable = "button, a[href], summary, label:has([type=checkbox], [type=radio])"

// press clicks on what is called so.
func (p *tab) press(words string) {
	p.t.Helper()
	if err := p.click(p.ctx, words); err != nil {
		p.fatalf("press %s: %v", words, err)
	}
}

// follow clicks on what leads to another page, and waits until that is there.
func (p *tab) follow(words string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error { return p.click(ctx, words) })); err != nil {
		p.fatalf("follow %s: %v", words, err)
	}
}

// watching notes whether the next click meets what is called so.
const watching = `((selector, words) => {
	window.clicked = "";
	addEventListener("click", ev => {
		const e = ev.target.closest?.(selector);
		window.clicked = e && (e.innerText.replace(/\s+/g, " ").trim() === words || e.getAttribute("aria-label") === words || e.control) ? "met" : "missed";
	}, {capture: true, once: true});
	return true;
})`

// click aims and clicks, and does so again where a page that changed meanwhile took
// the thing from under the pointer.
func (p *tab) click(ctx context.Context, words string) error {
	arguments, _ := json.Marshal([]string{pressable, words}) // Strings: it cannot fail.
	for {
		at := p.find(pressable, words)
		if _, err := tryJS[bool](p, watching+"(..."+string(arguments)+")"); err != nil {
			continue // The page is just being exchanged.
		}
		if err := chromedp.Do(ctx, chromedp.MouseClickXY(at.X, at.Y)); err != nil {
			return err
		}
		if p.plain { // Nothing listens, and nothing moves.
			return nil
		}
		if clicked, err := tryJS[string](p, `window.clicked ?? "met"`); err != nil || clicked == "met" { // Where it is not known any more, another page is there.
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// fill types into the field with the label.
func (p *tab) fill(label, text string) {
	p.t.Helper()
	p.find("label", label)
	p.do(chromedp.KeyEvent("\b"), chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
		_, err := cdp.Call(ctx, s, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// sees waits until the page shows all the words.
func (p *tab) sees(words ...string) {
	p.t.Helper()
	for _, w := range words {
		p.until(func() bool { return strings.Contains(p.text(), w) }, func() string { return fmt.Sprintf("does not say %q", w) })
	}
}

// text is what the page shows, with single spaces.
func (p *tab) text() string {
	all, err := tryJS[string](p, `document.body ? document.body.innerText : ""`)
	if err != nil {
		return "" // Between two pages.
	}
	return strings.Join(strings.Fields(all), " ")
}

// until asks again and again.
func (p *tab) until(ok func() bool, why func() string) {
	p.t.Helper()
	give := time.After(patience)
	for !ok() {
		select {
		case <-give:
			p.fatalf("waited for %v: %s", patience, why())
		case <-time.After(30 * time.Millisecond):
		}
	}
}

// shoot stores a picture of the whole page in the folder LAUREL_SHOTS, for people to look at.
func (p *tab) shoot(name string) {
	dir := os.Getenv("LAUREL_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, func(ctx context.Context, s *chromedp.Target) ([]byte, error) {
		size, err := chromedp.Evaluate[[]float64]("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")(ctx, s)
		if err != nil {
			return nil, err
		}
		shot, err := cdp.Call(ctx, s, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: new(true), Clip: &page.Viewport{Width: size[0], Height: size[1], Scale: 1}})
		return shot.Data, err
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600)
	}
	if err != nil {
		p.t.Errorf("picture %s: %v", name, err)
	}
}

// exception is the words of what a script threw.
func exception(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}

// words is what the first thing that can be seen there is called.
func (p *tab) words(selector string) string {
	p.t.Helper()
	quoted, _ := json.Marshal(selector) // A string: it cannot fail.
	return js[string](p, `[...document.querySelectorAll(`+string(quoted)+`)].find(e => e.getClientRects().length).innerText.replace(/\s+/g, " ").trim()`)
}

// value is what is in the field with the label.
func (p *tab) value(label string) string {
	p.t.Helper()
	p.find("label", label)
	return js[string](p, "document.activeElement.value")
}

// choose takes an option of the list with the label.
func (p *tab) choose(label, option string) {
	p.t.Helper()
	p.find("label", label)
	quoted, _ := json.Marshal([]string{label, option}) // Strings: it cannot fail.
	if !js[bool](p, `(([label, option]) => {
		const list = [...document.querySelectorAll("label")].find(l => l.control?.tagName === "SELECT" && l.innerText.trim().startsWith(label)).control;
		const o = [...list.options].find(o => o.text.includes(option));
		if (o) o.selected = true;
		return !!o;
	})(`+string(quoted)+`)`) {
		p.fatalf("%s offers no %s", label, option)
	}
}
