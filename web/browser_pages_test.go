package main

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"laurel/jobs/standin"
	"laurel/models/accounts"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/history"
	"laurel/models/members"
)

// A state is a page as somebody sees it.
type state struct {
	name   string
	path   string
	viewer string // "" is a visitor.
	status int
	form   map[string]string // Fields by name of the form with the button that is pressed; nil for none.
	button string
	post   string // Where an empty form is sent from the page, as from one that stands open for long.
}

// A sample is a community in which every state of a page can be seen.
type sample struct {
	*laurel
	states []state
}

// everyPage looks at all pages in all states: nothing may be said on the
// console, axe must find nothing, and a phone must not scroll sideways.
func everyPage(t *testing.T, browser context.Context) {
	needScripts(t)
	axe, err := os.ReadFile(axeFile)
	if err != nil {
		t.Fatal(err)
	}
	for kind, s := range map[string]*sample{"community": newSample(t), "beginning": newBeginning(t)} {
		for part := range 2 {
			t.Run(kind+" "+strconv.Itoa(part), func(t *testing.T) {
				t.Parallel()
				p := newTab(t, browser, s.URL)
				p.do(wide.see())
				for i := part; i < len(s.states); i += 2 {
					t.Run(s.states[i].name, func(t *testing.T) {
						p.t = t
						s.look(t, p, string(axe), s.states[i])
					})
				}
				p.t = t
			})
		}
	}
}

// newBeginning is a Laurel that nobody has set up.
func newBeginning(t *testing.T) *sample {
	t.Helper()
	s := &sample{laurel: newLaurel(t, 1000)}
	setup := s.setupPath(t)
	s.states = []state{
		{name: "home-empty", path: "/", status: 200},
		{name: "setup", path: setup, status: 200},
		{name: "setup-refused", path: setup, status: 422, form: map[string]string{"name": "a b", "password": "short", "time_zone": "Riga"}, button: "Create the admin account"},
		{name: "setup-over", path: "/setup?token=x", status: 410},
		{name: "sign-up-closed", path: "/sign-up", status: 200},
		{name: "sites-empty", path: "/sites", status: 200},
		{name: "awards-empty", path: "/awards", status: 200},
	}
	return s
}

// look examines one page.
func (s *sample) look(t *testing.T, p *tab, axe string, st state) {
	p.do(p.as(s.laurel, st.viewer))
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, chromedp.Navigate(s.URL+st.path))
	if err == nil && st.button != "" {
		fields, _ := json.Marshal(st.form) // Strings: it cannot fail.
		js[bool](p, `(() => {
			for (const [name, value] of Object.entries(`+string(fields)+` ?? {})) {
				const e = document.querySelector("form:not([action='/sign-out']) [name='" + name + "']");
				e.type === "date" ? e.type = "text" : 0;
				e.value = value;
				e.closest("details")?.setAttribute("open", "");
			}
			for (const f of document.forms) f.noValidate = true;
			return true;
		})()`)
		response, err = chromedp.RunResponse(ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			return p.click(ctx, st.button) // Again where the page moved it meanwhile.
		}))
	}
	if err == nil && st.post != "" {
		target, _ := json.Marshal(st.post) // A string: it cannot fail.
		response, err = chromedp.RunResponse(ctx, chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
			_, err := chromedp.Evaluate[bool](`(() => { const f = document.createElement("form"); f.method = "post"; f.action = `+string(target)+`; document.body.append(f); f.submit(); return true })()`)(ctx, s)
			return err
		}))
	}
	if err != nil {
		p.fatalf("%v", err)
	}
	if int(response.Status) != st.status {
		t.Errorf("status %d, want %d", response.Status, st.status)
	}
	measure(t, p, st.name+"-"+wide.name) // The page before ended in this view.
	p.do(phone.see())
	measure(t, p, st.name+"-"+phone.name)
	js[bool](p, axe+";"+shorten+examine+"; true")
	obey(t, p, st.name, phone)
	p.do(wide.see())
	obey(t, p, st.name, wide)
	for _, words := range p.troubles.take() {
		t.Errorf("the browser complains: %s", words)
	}
}

// obey lets axe look for what breaks the rules of accessible pages.
func obey(t *testing.T, p *tab, name string, v view) {
	t.Helper()
	found := js[[]string](p, `examine("`+v.scheme+`", `+v.rules+")")
	for _, breach := range found[1:] {
		t.Errorf("%s-%s: axe finds %s", name, v.name, breach)
	}
	if found[0] == "0" {
		t.Errorf("%s-%s: axe examined nothing", name, v.name)
	}
}

// measure looks for what stands where it should not.
func measure(t *testing.T, p *tab, name string) {
	t.Helper()
	if over := js[int](p, "document.scrollingElement.scrollWidth - innerWidth"); over > 0 {
		t.Errorf("%s scrolls sideways by %d: %s", name, over, js[string](p, tooWide))
	}
	if words := js[string](p, twice); words != "" {
		t.Errorf("%s has more than one of: %s", name, words)
	}
	for _, number := range js[[]string](p, apart) {
		t.Errorf("%s: the value of %s does not stand beside it", name, number)
	}
	if words := js[string](p, outside); words != "" {
		t.Errorf("%s: stands out of its card: %s", name, words)
	}
	p.shoot(name)
}

// A view is a width and a scheme.
type view struct {
	name   string
	width  int64
	scheme string
	rules  string // Of axe.
}

// wide and phone are each width and each scheme once: a scheme changes colours alone.
var (
	wide  = view{"light", 1240, "light", `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`}
	phone = view{"dark-phone", 390, "dark", `{type: "rule", values: ["color-contrast", "link-in-text-block", "target-size"]}`}
)

// twice names what a page may have once: an id, and a first heading.
const twice = `[...new Set([...document.querySelectorAll("[id], h1")].map(e => e.id ? "#" + e.id : e.localName).filter((name, i, all) => all.indexOf(name) < i))].join(", ")`

// tooWide names what stands out of the window.
const tooWide = `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll"))
	.slice(0, 5).map(e => e.tagName + "." + e.getAttribute("class")).join(", ")`

// outside names what reaches over the edge of the card it is in.
const outside = `[...document.querySelectorAll(".card :is(th, td, p, li, pre)")].filter(e => {
	const card = e.closest(".card"), edge = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
	return e.getBoundingClientRect().right > edge + 1 && !e.closest(".scroll, thead, .visually-hidden");
}).slice(0, 5).map(e => e.innerText).join(", ")`

// apart names the numbers of a history whose values are on other lines.
const apart = `[...document.querySelectorAll(".known tbody tr")].filter(tr => {
	const [th, td] = ["th", "td.num"].map(s => tr.querySelector(s).getBoundingClientRect());
	return th.top >= td.bottom || td.top >= th.bottom;
}).map(tr => tr.querySelector("th").innerText)`

// see shows pages in the view.
func (v view) see() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(v.width, 900)); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, s, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: v.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	})
}

// as lets the next page be seen by a member, or by a visitor.
func (p *tab) as(l *laurel, viewer string) chromedp.Action[chromedp.Void] {
	cookie := l.cookieOf(p.t, viewer)
	return chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
		if _, err := cdp.Call(ctx, s, network.ClearBrowserCookies, cdp.Empty{}); err != nil || cookie == nil {
			return err
		}
		_, err := cdp.Call(ctx, s, network.SetCookie, network.SetCookieParams{Name: cookie.Name, Value: cookie.Value, URL: l.URL})
		return err
	})
}

// newSample makes the community and lists its pages.
func newSample(t *testing.T) *sample {
	t.Helper()
	s := &sample{laurel: newLaurel(t, 1000)}
	people := s.out.People()
	if err := s.declareKinds(t.Context()); err != nil {
		t.Fatal(err)
	}
	full := s.member(t, members.Member{Name: "ada", DisplayName: "Ada Lovelace", TimeZone: "Europe/Riga", Role: members.RoleAdmin}, people[0].Handles)
	s.member(t, members.Member{Name: "grace"}, nil)
	s.member(t, members.Member{Name: "wrong", DisplayName: "Wrong Handles"}, map[string]string{"codeforces": "nobody-here", "uva": "nobody_here"})
	s.member(t, members.Member{Name: "failing", DisplayName: "Felix Failing"}, people[3].Handles)
	s.member(t, members.Member{Name: "partly"}, map[string]string{"codeforces": people[6].Handles["codeforces"], "uva": "nobody_either"})
	s.member(t, members.Member{Name: "quiet"}, people[4].Handles) // Has never submitted anything.
	star := members.Member{Name: "star", Custom: true, DisplayName: "A star with a name that is long enough to be cut somewhere", TimeZone: "Asia/Tokyo"}
	if err := accounts.Add(t.Context(), s.db.DB, s.sites(t), accounts.New{Member: &star, Handles: people[1].Handles, By: &full}, s.clock.now()); err != nil {
		t.Fatal(err)
	}
	for site, handle := range people[3].Handles {
		if err := s.out.SetFault(site, standin.Fault{Kind: "503", Handle: handle}); err != nil {
			t.Fatal(err)
		}
	}
	s.retrieve(t)
	s.exec(t, `UPDATE account_schedule SET due_at = @now WHERE outcome = 'not_found'`) // The second proof.
	s.retrieve(t)
	s.exec(t, `UPDATE account_schedule SET failing_since = CAST(@now AS timestamptz) - interval '5 hours' WHERE failures > 0`)
	pending := s.member(t, members.Member{Name: "pending", DisplayName: "Petra Pending"}, people[6].Handles)
	s.exec(t, `UPDATE account_schedule SET due_at = CAST(@now AS timestamptz) + interval '1 hour' WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @id)`, "id", pending.ID)
	running := s.member(t, members.Member{Name: "running", DisplayName: "Rosa Running"}, people[6].Handles)
	s.exec(t, `UPDATE members SET requested_at = @now WHERE id = @id`, "id", running.ID)
	s.exec(t, `UPDATE account_schedule SET requested_at = @now WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @id)`, "id", running.ID)
	s.exec(t, `UPDATE account_schedule SET leased_until = CAST(@now AS timestamptz) + interval '1 hour', lease_id = 'x', started_at = @now, page = 3
		WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @id) AND site = 'codeforces'`, "id", running.ID)
	s.exec(t, `UPDATE account_stats SET new_rows = 1200 WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @id AND site = 'codeforces')`, "id", running.ID)
	s.exec(t, `UPDATE members SET requested_at = CAST(@now AS timestamptz) + interval '1 hour' WHERE name = 'quiet'`) // Cools down all the test.
	s.exec(t, `UPDATE account_schedule SET last_attempt_at = CAST(@now AS timestamptz) + interval '1 hour'
		WHERE account_id IN (SELECT a.id FROM accounts a JOIN members m ON m.id = a.member_id WHERE m.name = 'quiet')`)
	if _, err := members.CreateToken(t.Context(), s.db.DB, full.ID, "the backup script", true, s.clock.now()); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*members.Member{nil, {ID: running.ID, Name: "running"}} {
		if _, err := members.Invite(t.Context(), s.db.DB, full.ID, m, s.clock.now()); err != nil {
			t.Fatal(err)
		}
	}
	if err := history.ArchiveLeaderboards(t.Context(), s.db.DB, s.clock.now()); err != nil {
		t.Fatal(err)
	}
	arena := shards.Declaration{Name: "arena", Title: "Places in the arena", Key: []shards.Field{{Name: "league", Type: shards.Text}, {Name: "player", Type: shards.Text}},
		Data: []shards.Field{{Name: "rank", Type: shards.Integer}, {Name: "score", Type: shards.Number}, {Name: "active", Type: shards.Boolean}, {Name: "joined", Type: shards.Timestamp}, {Name: "medals", Type: shards.JSON}}}
	if _, err := archive.Declare(t.Context(), s.db.DB, arena, s.clock.now()); err != nil {
		t.Fatal(err)
	}
	code, err := members.Invite(t.Context(), s.db.DB, full.ID, nil, s.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	s.reward(t)
	s.notify(t)
	s.post(t)
	discussed := s.followForums(t)
	s.states = slices.Concat(s.routes(t), discussed, pageStates(code), awardStates(), noticeStates(), s.badgeStates(t), s.postStates(t))
	return s
}
