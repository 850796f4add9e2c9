package jobs

import (
	"context"
	"errors"
	"strings"
	"time"

	"laurel/jobs/sites"
	"laurel/models"
	pg "laurel/models/db"
)

// roundGives is how long after its end a round is left to looks that cannot be read again: the
// next ones must not wait for it.
const roundGives = 36 * time.Hour

// tryAgain is again, as long as that may come to something.
func (p *rounds) tryAgain(ctx context.Context, x sites.Round) error {
	err := p.again(ctx, x)
	_, ours := errors.AsType[*ownError](err)
	if err == nil || ours || ctx.Err() != nil || errors.Is(err, pg.ErrLeaseLost) || x.Ends.After(p.r.Now().Add(-roundGives)) {
		return err
	}
	p.r.Log.WarnContext(ctx, "a round cannot be read again: it is left to looks", "site", p.site.Name, "contest", x.Contest, "err", err)
	return nil
}

// again reads a round once more when hacks and system tests are over: then its rows are
// as they stay. Where few took part whose verdicts may have changed, they are looked at.
func (p *rounds) again(ctx context.Context, x sites.Round) error {
	open, err := models.RoundOpen(ctx, p.r.DB.DB, p.site.Name, x.Begins, x.Ends, p.site.Overlap)
	if err != nil || len(open) == 0 {
		return own(err)
	}
	took, err := p.enough(ctx, x, open)
	if err != nil {
		return err
	}
	if len(took) < roundWorth {
		hurried, err := models.HurryLooks(ctx, p.r.DB.DB, p.site.Name, took, p.r.Now(), p.r.Now())
		p.hurried += hurried
		return own(err)
	}
	p.lists++
	ids, waits := []string(nil), map[string]bool{}
	for _, h := range open {
		waits[h] = true
	}
	err = p.list(ctx, x.Contest, func(row *sites.Fed) {
		if waits[strings.ToLower(row.Handle)] {
			ids = append(ids, row.Submission.ID)
		}
	})
	if err != nil {
		return err
	}
	return own(models.CloseRound(ctx, p.r.DB.DB, p.site.Name, x.Begins, x.Ends, ids))
}
