package jobs

import (
	"context"
	"errors"
	"net/http"
	"time"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
	"laurel/models"
)

const (
	// probeTick is how often accounts are looked for whose site should be asked
	// about them, all at once.
	probeTick = time.Minute
	// probeEvery is how often each account is asked about so: a third of a day at
	// the latest passes until what is new is seen, the look itself included.
	probeEvery = 4 * time.Hour
)

// Probe asks a site about many accounts at once, as long as there are some of which
// it was not asked for a while. Those that may have something new are looked at
// next; for those that have nothing, that stands for a look.
func (r *Runner) Probe(ctx context.Context, site sites.Site, prober sites.Prober) error {
	return untilIdle(ctx, func() (bool, error) { return r.probeOnce(ctx, site, prober) })
}

func (r *Runner) probeOnce(ctx context.Context, site sites.Site, prober sites.Prober) (more bool, err error) {
	info := site.Info()
	began := r.Now()
	accounts, err := models.ClaimProbe(ctx, r.DB.DB, info.Name, probeEvery, sites.ProbeAtMost, began)
	if err != nil || len(accounts) == 0 {
		return false, err
	}
	probed := make([]sites.Probed, len(accounts))
	for i := range accounts {
		probed[i] = sites.Probed{Handle: accounts[i].Handle, Since: *accounts[i].CompleteUntil}
	}
	get := &probe{r: r, info: info}
	found, err := prober.Probe(ctx, get, probed)
	p := models.Probe{Site: info.Name, Began: began, Every: probeEvery, Overlap: info.Overlap, Requests: get.requests, Outcome: models.OutcomeOK}
	for i, f := range found {
		switch f {
		case sites.Quiet:
			p.Quiet = append(p.Quiet, accounts[i].ID)
		case sites.News:
			p.News = append(p.News, accounts[i].ID)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		res := models.Result{}
		if ours := explain(err, &res); ours != nil {
			return false, ours
		}
		p.Outcome, p.Message = res.Outcome, res.Message
	}
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	stands, err := models.FinishProbe(final, r.DB.DB, p, r.Rule, r.Now())
	r.Log.InfoContext(ctx, "probed", "site", info.Name, "accounts", len(accounts), "quiet", len(p.Quiet), "news", len(p.News), "instead of looks", stands, "requests", p.Requests, "outcome", p.Outcome, "why", p.Message)
	return err == nil && p.Outcome == models.OutcomeOK, err
}

// A probe is the Getter of questions about many accounts.
type probe struct {
	r        *Runner
	info     sites.Info
	requests int
}

// Get implements sites.Getter.
func (p *probe) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := p.Ask(ctx, sites.Request{Address: address})
	return page, err
}

// Ask implements sites.Asker.
func (p *probe) Ask(ctx context.Context, r sites.Request) (sites.Page, http.Header, error) {
	p.requests++
	page, err := p.r.Client.Get(ctx, polite.Request{Address: r.Address, Source: p.info.Name, Gap: p.info.Gap, Header: r.Header, Body: r.Body})
	if e, ok := errors.AsType[*polite.Error](err); ok && e.NotSent {
		p.requests--
	}
	return sites.Page{Status: page.Status, Body: page.Body}, page.Header, err
}
