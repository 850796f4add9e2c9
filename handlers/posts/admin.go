package posts

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/posts"
	views "laurel/views/posts"
)

const (
	pollsShown    = 20
	failuresShown = 10
)

// Admin is the admins' page of how posts are followed.
func (h *Handlers) Admin(c echo.Context) error {
	return h.showAdmin(c, http.StatusOK, views.Admin{})
}

// showAdmin fills p, which says what was refused, with the rest of the page.
func (h *Handlers) showAdmin(c echo.Context, status int, p views.Admin) error {
	ctx, now := c.Request().Context(), h.Now()
	p.Frame, p.Now, p.Networks = h.postsFrame(c, "Post tracking"), now.In(h.Viewer(c).Location()), h.credentialNetworks()
	pools, err := posts.Healths(ctx, h.DB.DB, now)
	if err != nil {
		return err
	}
	failures, err := posts.PollFailures(ctx, h.DB.DB, failuresShown, now)
	if err != nil {
		return err
	}
	for _, f := range failures {
		p.Failures = append(p.Failures, views.Failure{Pool: h.poolName(f.Pool), Outcome: f.Outcome, Message: f.Message, N: f.N,
			Last: f.Last})
	}
	credentials, err := posts.UsedCredentials(ctx, h.DB.DB, 0, now)
	if err != nil {
		return err
	}
	for i := range pools {
		v := h.poolView(&pools[i])
		v.Closed = h.network(pools[i].Network).NeedsToken && !slices.ContainsFunc(credentials, func(c posts.UsedCredential) bool {
			return c.State == "active" && c.Network == pools[i].Network && c.Host == pools[i].Host
		})
		p.Pools = append(p.Pools, v)
	}
	for i := range credentials {
		p.Credentials = append(p.Credentials, h.credentialView(&credentials[i]))
	}
	polls, err := posts.LastPolls(ctx, h.DB.DB, pollsShown)
	if err != nil {
		return err
	}
	for _, r := range polls {
		p.Polls = append(p.Polls, views.Poll{ID: r.ID, Pool: h.poolName(posts.Pool{Network: r.Network, Host: r.Host}),
			Credential: r.Credential, At: r.At,
			Asked: r.Asked, Found: r.Found, Missing: r.Missing, Mil: r.TookMs, Outcome: r.Outcome, Message: r.Message})
	}
	return web.Render(c, status, views.AdminPage(p))
}

// credentialNetworks are the networks that a credential can be for.
func (h *Handlers) credentialNetworks() (all []views.Network) {
	for _, n := range h.Networks {
		all = append(all, views.Network{Name: n.Name, Title: n.Title, HomeServer: n.HomeServer, NeedsToken: n.NeedsToken,
			TokenHint: n.TokenHint, OldAPI: n.OldAPI, Price: n.Price})
	}
	return all
}

// poolName is a pool as people say it.
func (h *Handlers) poolName(p posts.Pool) string {
	return posts.Pool{Network: h.network(p.Network).Title, Host: p.Host}.String()
}

func (h *Handlers) poolView(s *posts.Health) views.Pool {
	n := h.network(s.Network)
	v := views.Pool{Network: s.Network, Title: n.Title, Host: s.Host, Due: s.Due, Leased: s.Leased, Dead: s.Expired,
		Oldest: web.Deref(s.OldestDue), Requests: int(s.Requests - s.Failed), Failed: int(s.Failed),
		Asked: int(s.Asked), Batch: n.Batch, Slowdown: s.Slowdown, EveryDays: s.EveryDays, Demand: s.Demand, Supply: s.Supply,
		Measured: web.Deref(s.MeasuredAt)}
	if s.Batch > 0 {
		v.Batch = s.Batch
	}
	if counts := s.ByTier(); len(counts) == len(h.Posts.Tiers) {
		for i, t := range h.Posts.Tiers {
			v.Tiers = append(v.Tiers, views.TierCount{Tier: postTier(t), Posts: int(counts[i])})
		}
	}
	return v
}

func (h *Handlers) credentialView(s *posts.UsedCredential) views.Credential {
	n := h.network(s.Network)
	return views.Credential{ID: s.ID, Title: n.Title, Host: s.Host, Name: s.Name, Anybody: !s.HasToken, Legacy: s.Legacy,
		State: s.State, Reason: s.Reason,
		Cooldown: web.Deref(s.CooldownUntil), Reset: web.Deref(s.ResetAt), Remaining: s.Remaining, Quota: s.Quota, Window: s.Window(),
		Requests: s.Month.Requests, Posts: s.Month.Posts,
		Charged: s.Month.Charged, Today: s.Today.Charged, Budget: s.MonthlyPosts, Price: n.Price, Used: web.Deref(s.UsedAt)}
}

// AddCredential seals a token and keeps it.
func (h *Handlers) AddCredential(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	err := h.saveCredential(c)
	if errs := web.FieldErrors(err); errs != nil {
		return h.showAdmin(c, http.StatusUnprocessableEntity,
			views.Admin{Form: web.FormAgain(c, errs), Wrong: "Not saved. See the form below."})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/posts?done=sealed")
}

// saveCredential takes the form as the API takes its JSON.
func (h *Handlers) saveCredential(c echo.Context) error {
	in := apiNewCredential{Network: c.FormValue("network"), Host: c.FormValue("host"), Name: c.FormValue("name"),
		Token: c.FormValue("token")}
	in.Legacy = c.FormValue("legacy") == "yes" && h.network(in.Network).OldAPI != ""
	if text := strings.NewReplacer(",", "", " ", "").Replace(c.FormValue("monthly_posts")); text != "" {
		posts, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return &pg.InputError{Field: "monthly_posts", Message: "write a whole number, or leave it empty for no limit"}
		}
		in.MonthlyPosts = &posts
	}
	n, err := h.newCredential(&in)
	if err != nil {
		return err
	}
	_, err = posts.SaveCredential(c.Request().Context(), h.DB.DB, n, h.Secret, h.Now())
	return err
}

// PauseCredential lets nobody ask with it.
func (h *Handlers) PauseCredential(c echo.Context) error {
	return h.changeCredential(c, "rests", func(id int64) error {
		return posts.SetCredentialState(c.Request().Context(), h.DB.DB, id, "paused")
	})
}

// ResumeCredential goes on with it, whatever was wrong.
func (h *Handlers) ResumeCredential(c echo.Context) error {
	return h.changeCredential(c, "works", func(id int64) error {
		return posts.SetCredentialState(c.Request().Context(), h.DB.DB, id, "active")
	})
}

// DeleteCredential forgets it.
func (h *Handlers) DeleteCredential(c echo.Context) error {
	return h.changeCredential(c, "no-more", func(id int64) error {
		return posts.DeleteCredential(c.Request().Context(), h.DB.DB, id)
	})
}

func (h *Handlers) changeCredential(c echo.Context, done string, change func(int64) error) error {
	id, err := rowID(c)
	if err != nil {
		return err
	}
	if err := change(id); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/posts?done="+done)
}
