package sites

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/retrieval"
	retrievalviews "laurel/views/retrieval"
	"laurel/views/texts"
)

// alarmsFor is how long an alarm is shown after it ended.
const alarmsFor = 7 * 24 * time.Hour

// A siteState is all that is known of how a site does.
type siteState struct {
	retrieval.SiteHealth
	retrieval.Circuit
	alarms   []retrieval.Alarm
	canaries []retrieval.Canary
	stream   retrieval.StreamSwitch // "" where the site has none.
	pushed   *time.Time             // When members last pushed to it.
}

// siteStates are the states of all sites, by name.
func (h *Handlers) siteStates(c echo.Context) (map[string]siteState, error) {
	known, err := h.knownOfSites(c.Request().Context(), h.Now())
	if err != nil {
		return nil, err
	}
	states := map[string]siteState{}
	for _, s := range h.Sites(c) {
		states[s.Name] = known.of(s)
	}
	return states, nil
}

// knownOfSites is what is stored of how sites do. Each list is read once for all sites, however
// many there are.
type knownOfSites struct {
	healths  []retrieval.SiteHealth
	held     map[string]retrieval.Circuit
	alarms   []retrieval.Alarm
	canaries []retrieval.Canary
	switches map[string]retrieval.StreamSwitch
	pushed   map[string]time.Time
}

func (h *Handlers) knownOfSites(ctx context.Context, now time.Time) (k knownOfSites, err error) {
	if k.healths, err = retrieval.SiteHealths(ctx, h.DB.DB, now); err != nil {
		return k, err
	}
	if k.held, err = retrieval.SuspendedCircuits(ctx, h.DB.DB); err != nil {
		return k, err
	}
	if k.alarms, err = retrieval.Alarms(ctx, h.DB.DB, now.Add(-alarmsFor)); err != nil {
		return k, err
	}
	if k.canaries, err = retrieval.Canaries(ctx, h.DB.DB); err != nil {
		return k, err
	}
	if k.switches, err = retrieval.StreamSwitches(ctx, h.DB.DB); err != nil {
		return k, err
	}
	k.pushed, err = members.NewestPushes(ctx, h.DB.DB)
	return k, err
}

// of is the state of one site. One of which nothing is stored does well.
func (k *knownOfSites) of(s members.Site) siteState {
	is := siteState{Circuit: retrieval.Circuit{State: retrieval.CircuitClosed}}
	if i := slices.IndexFunc(k.healths, func(x retrieval.SiteHealth) bool { return x.Site == s.Name }); i >= 0 {
		is.SiteHealth = k.healths[i]
	}
	if at, ok := k.pushed[s.Name]; ok {
		is.pushed = &at
	}
	if s.Outside { // Its accounts are paused for good.
		is.LastSuccess, is.Paused = is.pushed, 0
	}
	if s.Streams {
		is.stream = cmp.Or(k.switches[s.Name], retrieval.StreamAuto)
	}
	if circuit, ok := k.held[s.Name]; ok {
		is.Circuit = circuit
	}
	for _, a := range k.alarms {
		if a.Site == s.Name {
			is.alarms = append(is.alarms, a)
		}
	}
	for _, a := range k.canaries {
		if a.Site == s.Name {
			is.canaries = append(is.canaries, a)
		}
	}
	return is
}

// readSites are the sites that Laurel reads.
func (h *Handlers) readSites(c echo.Context) []members.Site {
	return slices.DeleteFunc(slices.Clone(h.Sites(c)), func(s members.Site) bool { return s.Outside })
}

// siteNamed is a site that Laurel reads, or ErrNotFound.
func (h *Handlers) siteNamed(c echo.Context, name string) (members.Site, error) {
	read := h.readSites(c)
	i := slices.IndexFunc(read, func(s members.Site) bool { return s.Name == name })
	if i < 0 {
		return members.Site{}, pg.ErrNotFound
	}
	return read[i], nil
}

// isAdmin says whether an admin looks.
func (h *Handlers) isAdmin(c echo.Context) bool {
	v := h.Viewer(c)
	return v != nil && v.Role == members.RoleAdmin
}

// alarmSubject is what an alarm is about. Whose list is empty is for admins.
func (h *Handlers) alarmSubject(c echo.Context, a *retrieval.Alarm) string {
	if (a.Kind == retrieval.AlarmEmptied || a.Kind == retrieval.AlarmCanary) && !h.isAdmin(c) {
		return ""
	}
	return a.Subject
}

// Index is how the judge sites do.
func (h *Handlers) Index(c echo.Context) error {
	return h.show(c, http.StatusOK, retrievalviews.Sites{})
}

// show fills p, which says what was refused, with the rest of the page.
func (h *Handlers) show(c echo.Context, status int, p retrievalviews.Sites) error {
	states, err := h.siteStates(c)
	if err != nil {
		return err
	}
	p.Frame, p.Now, p.Admin = h.Frame(c, texts.T(c.Request().Context(), "Sites")), h.Now().In(h.ViewerZone(c)), h.isAdmin(c)
	for _, s := range h.Sites(c) {
		x := states[s.Name]
		v := retrievalviews.SiteHealth{Name: s.Name, Title: s.Title, Home: s.Home, Accounts: x.Accounts,
			LastSuccess: web.Deref(x.LastSuccess), FailingSince: web.Deref(x.FailingSince),
			Outcome: x.SiteHealth.Outcome, Why: x.SiteHealth.Message, Requests: x.Requests, Queue: x.Queue,
			OldestDue: web.Deref(x.OldestDue),
			Running:   x.Running, Failed: x.Failures, Done: x.Retrievals - x.Failures, New: x.NewRows, Invalid: x.Invalid, Paused: x.Paused,
			Stream: string(x.stream), Outside: s.Outside}
		web.ViewCircuit(&v, x.Circuit)
		for _, a := range x.alarms {
			p.Alarms = append(p.Alarms, retrievalviews.Alarm{Site: s.Title, Kind: a.Kind, Subject: h.alarmSubject(c, &a),
				Message: a.Message, Times: a.Times, Opened: a.OpenedAt, Last: a.LastAt, Closed: web.Deref(a.ClosedAt)})
		}
		for i := range x.canaries {
			p.Canaries = append(p.Canaries, canaryView(s.Title, &x.canaries[i], p.Admin))
		}
		p.Sites = append(p.Sites, v)
	}
	slices.SortFunc(p.Sites, func(a, b retrievalviews.SiteHealth) int { return web.CompareFold(a.Title, b.Title) })
	slices.SortStableFunc(p.Canaries, func(a, b retrievalviews.Canary) int { return web.CompareFold(a.Title, b.Title) })
	slices.SortStableFunc(p.Alarms, func(a, b retrievalviews.Alarm) int {
		return cmp.Or(cmp.Compare(bit(!a.Closed.IsZero()), bit(!b.Closed.IsZero())), b.Opened.Compare(a.Opened))
	})
	if p.Admin {
		if err := h.siteWords(c, &p); err != nil {
			return err
		}
		if err := h.unreadRows(c, &p); err != nil {
			return err
		}
		if p.Answers, err = responses.Size(c.Request().Context(), h.DB.DB); err != nil {
			return err
		}
	}
	p.Frame.Health = retrievalviews.HealthLine(c.Request().Context(), p.Sites, p.Now)
	return web.Render(c, status, retrievalviews.SitesPage(p))
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// siteWords are the words that sites use and Laurel does not know.
func (h *Handlers) siteWords(c echo.Context, p *retrievalviews.Sites) error {
	words, err := retrieval.SiteTerms(c.Request().Context(), h.DB.DB, false)
	if err != nil {
		return err
	}
	for _, w := range words {
		p.Words = append(p.Words, retrievalviews.Term{Name: w.Site, Title: h.Site(c, w.Site).Title, Kind: w.Kind, Term: w.Term,
			Times: int(w.Times), First: w.FirstAt, Last: w.LastAt, Handle: w.Handle})
	}
	return nil
}

// unreadAtMost rows of a site are shown.
const unreadAtMost = 5

// unreadRows are the newest rows of each site that could not be read.
func (h *Handlers) unreadRows(c echo.Context, p *retrievalviews.Sites) error {
	rows, err := retrieval.UnreadRows(c.Request().Context(), h.DB.DB, unreadAtMost)
	if err != nil {
		return err
	}
	for i := range rows {
		u := &rows[i]
		p.Unread = append(p.Unread, retrievalviews.Unread{Title: h.Site(c, u.Site).Title, Of: u.Of, Member: u.Member, Handle: u.Handle,
			Row: u.Number(), Why: u.Why, Text: u.Text, First: u.FirstSeenAt})
	}
	return nil
}

// Pause is an admin's kill switch: nobody asks the site for anything.
func (h *Handlers) Pause(c echo.Context) error { return h.setPaused(c, true, "site-paused") }

// Resume lets a site be asked again.
func (h *Handlers) Resume(c echo.Context) error { return h.setPaused(c, false, "site-resumed") }

func (h *Handlers) setPaused(c echo.Context, paused bool, done string) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	site, err := h.siteNamed(c, c.Param("site"))
	if err != nil {
		return err
	}
	pause := retrieval.SitePause{Paused: paused, Reason: c.FormValue("reason"), By: h.Viewer(c).Name}
	err = retrieval.PauseSite(c.Request().Context(), h.DB.DB, site.Name, pause, h.Now())
	for _, message := range web.FieldErrors(err) {
		return h.show(c, http.StatusUnprocessableEntity, retrievalviews.Sites{Wrong: site.Title + ": " + message})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/sites?done="+url.QueryEscape(done))
}

// SetStream switches a site's activity stream.
func (h *Handlers) SetStream(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	site, err := h.siteNamed(c, c.Param("site"))
	if err != nil {
		return err
	}
	if err := h.switchStream(c.Request().Context(), h.DB.DB, site, retrieval.StreamSwitch(c.FormValue("stream"))); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/sites?done=saved")
}

// switchStream switches the activity stream of a site that has one.
func (h *Handlers) switchStream(ctx context.Context, db *gorm.DB, site members.Site, to retrieval.StreamSwitch) error {
	if !site.Streams {
		return &pg.InputError{Field: "stream", Message: site.Title + " has no activity stream"}
	}
	return retrieval.SetStream(ctx, db, site.Name, to, h.Now())
}

// AcknowledgeTerm marks a word of a site as known.
func (h *Handlers) AcknowledgeTerm(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	if err := retrieval.AcknowledgeTerm(c.Request().Context(), h.DB.DB, c.Param("site"), c.FormValue("kind"), c.FormValue("word"),
		h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/sites?done=saved")
}
