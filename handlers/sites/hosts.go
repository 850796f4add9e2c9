package sites

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
	"laurel/views/parts"
	retrievalviews "laurel/views/retrieval"
)

// declare stores a site if all is right with it, and a host only if it answers. token is what the host
// is to be asked with: see TakeToken.
func (h *Handlers) declare(ctx context.Context, s *members.DeclaredSite, token *string) (created bool, err error) {
	if err := s.Check(h.BuiltIn, h.Kinds); err != nil {
		return false, err
	}
	if s.Kind == "" && token != nil {
		return false, &pg.InputError{Field: "token", Message: "only a site with a kind has a token"}
	}
	if s.Kind != "" {
		asks, err := s.TakeToken(ctx, h.DB.DB, token, h.Secret)
		if err == nil && asks {
			err = h.askHost(ctx, s)
		}
		if err != nil {
			return false, err
		}
	}
	return members.DeclareSite(ctx, h.DB.DB, s, h.Now())
}

// How long an answer of a host is waited for, and how often a job is asked whether it is there.
const (
	hostPatience = 40 * time.Second
	hostPoll     = 100 * time.Millisecond
)

// askHost has a job ask a host, and says what is wrong with it.
func (h *Handlers) askHost(ctx context.Context, s *members.DeclaredSite) error {
	id, err := retrieval.RequestSiteCheck(ctx, h.DB.DB, s, h.Now())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hostPatience)
	defer cancel()
	for ctx.Err() == nil {
		check, err := retrieval.SiteCheckByID(ctx, h.DB.DB, id)
		switch {
		case err != nil && ctx.Err() == nil:
			return err
		case err == nil && check.AnsweredAt != nil && check.Message != "":
			return &pg.InputError{Field: "base", Message: check.Message}
		case err == nil && check.AnsweredAt != nil:
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(hostPoll):
		}
	}
	return &pg.InputError{Field: "base",
		Message: s.Home + " did not answer in time. Try again; if it stays so, see whether a Laurel with jobs runs"}
}

// DeclareHost declares a site on a host of a kind, or changes it.
func (h *Handlers) DeclareHost(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	s := members.DeclaredSite{Kind: c.FormValue("kind"), Name: c.FormValue("name"), Title: c.FormValue("title"), Home: c.FormValue("base")}
	var token *string
	if given := c.FormValue("token"); given != "" || c.FormValue("no_token") == "yes" {
		token = &given
	}
	var err error = &pg.InputError{Field: "kind", Message: "choose a kind"}
	if s.Kind != "" {
		_, err = h.declare(c.Request().Context(), &s, token)
	}
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showOutside(c, http.StatusUnprocessableEntity, retrievalviews.Outside{Host: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/sites?done=saved")
}

// fillHosts shows the declared sites that Laurel reads.
func (h *Handlers) fillHosts(c echo.Context, p *retrievalviews.Outside, list []members.DeclaredSite, states map[string]siteState) {
	for _, k := range h.Kinds {
		p.Kinds = append(p.Kinds, retrievalviews.HostKind{Name: k.Name, Title: k.Title, Home: k.Home})
	}
	for _, s := range list {
		if s.Kind == "" {
			continue
		}
		p.Hosts = append(p.Hosts, retrievalviews.Host{Name: s.Name, Title: s.Title, Base: s.Home, Kind: p.KindTitle(s.Kind),
			Token: s.Token != nil, Accounts: states[s.Name].Accounts, Success: web.Deref(states[s.Name].LastSuccess)})
		if s.Name == c.QueryParam("host") && p.Host.Values == nil {
			p.Host = parts.Form{Values: map[string]string{"kind": s.Kind, "name": s.Name, "title": s.Title, "base": s.Home}}
		}
	}
}
