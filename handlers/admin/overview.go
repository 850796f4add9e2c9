package admin

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/members"
	"laurel/models/overview"
	views "laurel/views/admin"
)

// Index is the admins' first page: what is left of the set-up, and how the work goes.
func (h *Handlers) Index(c echo.Context) error {
	ctx, v := c.Request().Context(), h.Viewer(c)
	steps, err := overview.StepsOf(ctx, h.DB.DB, v.ID)
	if err != nil {
		return err
	}
	var names []string
	for _, s := range h.Sites(c) {
		names = append(names, s.Name)
	}
	health, err := overview.HealthNow(ctx, h.DB.DB, names, h.Now())
	if err != nil {
		return err
	}
	p := views.Overview{Frame: h.Frame(c, "Admin"), Now: h.Now().In(v.Location()), Steps: h.steps(steps), Build: h.Build,
		Queues: queues(health), Bytes: health.Bytes, Alarms: health.Alarms, Findings: health.ArchiveFindings,
		ArchiveChecked: web.Deref(health.ArchiveChecked), AwardsChecked: web.Deref(health.AwardsChecked),
		Retrieved: web.Deref(health.Retrieved), Oldest: web.Deref(health.Oldest)}
	for name := range h.SuspendedSites(c) {
		p.Silent = append(p.Silent, h.Site(c, name).Title)
	}
	slices.SortFunc(p.Silent, web.CompareFold)
	if h.Disk != nil {
		p.DiskFree, p.DiskSize = h.Disk()
	}
	return web.Render(c, http.StatusOK, views.OverviewPage(p))
}

// steps are those of the set-up, in the order in which they are worth doing.
func (h *Handlers) steps(s overview.Steps) []views.Step {
	return []views.Step{
		{Done: s.Named, Text: "Name the community", Href: "/admin/community", Why: "The name is on top of every page"},
		{Done: s.Handles, Text: "Add your handles", Href: "/settings", Why: "So that your own profile fills first"},
		{Done: s.Others, Text: "Invite members", Href: "/admin/invitations", Why: "By a link, or a whole class from a CSV file"},
		{Done: s.Awards, Text: "Start with awards", Href: "/admin/awards", Why: "A starter set is ready; change it as you like"},
		{Done: s.Forum, Text: "Add a mailing list or forum", Href: "/admin/forums", Why: "Its messages appear beside the members"},
		{Done: h.Mail, Text: "Set up e-mail", Href: "/admin/notices", Why: "For notifications and forgotten passwords: LAUREL_SMTP_URL"},
		{Done: h.public(), Text: "Give it a public address", Href: "/help", Why: "LAUREL_URL with https, so that others can open links"},
	}
}

// public says whether others can reach this address: it is encrypted, and not this machine's own.
func (h *Handlers) public() bool {
	u, err := url.Parse(h.URL)
	if err != nil || u.Scheme != "https" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() != "localhost" && !strings.HasSuffix(u.Hostname(), ".local") && (err != nil || !ip.IsLoopback())
}

func queues(h overview.Health) []views.Queue {
	return []views.Queue{
		{Text: "Accounts to check", N: h.Accounts, Href: "/sites"},
		{Text: "Forums to update", N: h.Forums, Href: "/admin/forums"},
		{Text: "Events to count", N: h.Events, Href: "/admin/events"},
		{Text: "Awards to evaluate", N: h.Awards, Href: "/admin/awards"},
		{Text: "Notices to deliver", N: h.Notices, Href: "/admin/notices"},
		{Text: "Deliveries that failed today", N: h.Failed, Href: "/admin/notices#troubled", Bad: true},
		{Text: "Events that could not be counted", N: h.Dead, Href: "/admin/events#dead", Bad: true},
	}
}

// members returns the member in the address.
func (h *Handlers) member(c echo.Context) (members.Member, error) {
	return members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
}
