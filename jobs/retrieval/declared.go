package retrieval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"laurel/jobs/pass"
	"laurel/jobs/sites"
	"laurel/models/members"
	"laurel/models/retrieval"
)

// Declared are the sites on hosts that admins declared, as the database knows them now.
func (r *Jobs) Declared(ctx context.Context) (list []sites.Site, err error) {
	declared, err := members.SitesOfKinds(ctx, r.DB.DB)
	if err != nil {
		return nil, err
	}
	for i := range declared {
		if site, ok := r.hosted(ctx, &declared[i]); ok {
			list = append(list, site)
		}
	}
	return list, nil
}

// AllSites are the sites that can be read.
func (r *Jobs) AllSites(ctx context.Context) ([]sites.Site, error) {
	declared, err := r.Declared(ctx)
	return slices.Concat(r.Sites, declared), err
}

// SiteNamed is one of AllSites, or false.
func (r *Jobs) SiteNamed(ctx context.Context, name string) (sites.Site, bool, error) {
	all, err := r.AllSites(ctx)
	i := slices.IndexFunc(all, func(s sites.Site) bool { return s.Info().Name == name })
	if i < 0 {
		return nil, false, err
	}
	return all[i], true, err
}

// hosted is what reads a declared site; false where this release does not know its kind, or reads a site of
// the name anyway. Without its token it is asked as anybody: what it says then is shown to admins.
func (r *Jobs) hosted(ctx context.Context, s *members.DeclaredSite) (sites.Hosted, bool) {
	kind, ok := sites.KindNamed(s.Kind)
	if !ok || slices.ContainsFunc(r.Sites, func(x sites.Site) bool { return x.Info().Name == s.Name }) {
		return nil, false
	}
	token, err := s.OpenToken(r.Secret)
	if err != nil {
		r.Log.WarnContext(ctx, "the token of a site cannot be opened: give it again", "site", s.Name, "err", err)
	}
	return kind.At(sites.Host{Name: s.Name, Title: s.Title, Base: s.Home, Token: token}), true
}

// checkLease outlasts one request.
const checkLease = 2 * time.Minute

// CheckSites asks the hosts that admins are about to add, once each.
func (r *Jobs) CheckSites(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		c, ok, err := retrieval.ClaimSiteCheck(ctx, r.DB.DB, r.Now().Add(checkLease), r.Now())
		if err != nil || !ok {
			return false, err
		}
		message := r.checkSite(ctx, c.Site())
		if ctx.Err() != nil {
			return false, ctx.Err() // No answer: the next process asks when the lease ends.
		}
		return true, retrieval.AnswerSiteCheck(ctx, r.DB.DB, c.ID, message, r.Now())
	})
}

// checkSite says what is wrong with a host, or "".
func (r *Jobs) checkSite(ctx context.Context, s *members.DeclaredSite) string {
	site, ok := r.hosted(ctx, s)
	if !ok {
		return "this release of Laurel cannot read " + s.Kind
	}
	get := r.fetcher(site.Info())
	get.urgent = true
	var res retrieval.Result
	if err := site.Check(ctx, get); err != nil {
		r.apply(ctx, err, &res, "a check of "+s.Home)
		kind, _ := sites.KindNamed(s.Kind)
		return fmt.Sprintf("%s does not answer as %s does: %s", s.Home, kind.Title, res.Message)
	}
	return ""
}
