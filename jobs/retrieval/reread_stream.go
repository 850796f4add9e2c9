package retrieval

import (
	"context"
	"encoding/json"
	"fmt"

	"laurel/jobs/sites"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/retrieval"
)

// pagesAtOnce bounds how many pages of a stream are in memory.
const pagesAtOnce = 10

// RereadStreams reads the raw answers of activity streams again, as Reread does those of accounts: what
// a reader missed of members comes back. Where the stream is, stays.
func (r *Jobs) RereadStreams(ctx context.Context, o RereadOrder, report func(*members.Account, retrieval.Changes) error) error {
	all, err := r.AllSites(ctx)
	if err != nil {
		return err
	}
	for _, site := range all {
		streamer, ok := site.(sites.Streamer)
		if !ok || o.Site != "" && o.Site != site.Info().Name {
			continue
		}
		if err := r.rereadStream(ctx, site.Info(), streamer, o, report); err != nil {
			return fmt.Errorf("stream of %s: %w", site.Info().Name, err)
		}
	}
	return nil
}

func (r *Jobs) rereadStream(ctx context.Context, site sites.Info, streamer sites.Streamer, o RereadOrder,
	report func(*members.Account, retrieval.Changes) error) error {
	for after := int64(0); ; {
		answers, err := responses.OfKind(ctx, r.DB.DB,
			responses.Slice{Source: site.Name, Kind: responses.Stream, Since: o.Since, After: after, Limit: pagesAtOnce})
		if err != nil || len(answers) == 0 {
			return err
		}
		for i := range answers {
			changed, err := r.rereadPage(ctx, site, streamer, &answers[i], o.DryRun)
			if err == nil {
				err = r.reportEach(ctx, changed, report)
			}
			if err != nil {
				return err
			}
		}
		after = answers[len(answers)-1].ID
	}
}

func (r *Jobs) rereadPage(ctx context.Context, site sites.Info, streamer sites.Streamer, a *responses.Answer, dry bool) (
	[]retrieval.AccountChange, error) {
	rows, err := streamRows(ctx, site, streamer, a)
	if err != nil { // It is no worse than it was.
		r.Log.WarnContext(ctx, "a raw answer cannot be read", "stream", site.Name, "at", a.RetrievedAt, "why", err)
		return nil, nil
	}
	p := retrieval.PastPage{Site: site.Name, Rows: rows, At: a.RetrievedAt, DryRun: dry}
	changed, err := retrieval.RereadStream(ctx, r.DB.DB, p, r.Now())
	if err != nil || a.Readable || dry {
		return changed, err
	}
	return changed, responses.MarkRead(ctx, r.DB.DB, []int64{a.ID})
}

// reportEach reports the accounts of a page of which something changed.
func (r *Jobs) reportEach(ctx context.Context, changed []retrieval.AccountChange,
	report func(*members.Account, retrieval.Changes) error) error {
	ids := make([]int64, len(changed))
	of := map[int64]retrieval.Changes{}
	for i, c := range changed {
		ids[i], of[c.AccountID] = c.AccountID, c.Changes
	}
	list, err := members.AccountsByID(ctx, r.DB.DB, ids)
	for i := range list {
		if err == nil {
			err = report(&list[i], of[list[i].ID])
		}
	}
	return err
}

// streamRows are the rows that today's reader finds on a page of a stream.
func streamRows(ctx context.Context, site sites.Info, streamer sites.Streamer, a *responses.Answer) ([]retrieval.StreamRow, error) {
	var place sites.StreamCursor
	if err := json.Unmarshal([]byte(a.Question), &place); err != nil {
		return nil, err
	}
	p, err := streamer.StreamPage(ctx, onePage{a}, place)
	return foundInStream(site, &p), err
}

// foundInStream are the rows of a page as they are stored.
func foundInStream(site sites.Info, p *sites.StreamPage) []retrieval.StreamRow {
	rows := make([]retrieval.StreamRow, len(p.Rows))
	for i := range p.Rows {
		rows[i] = retrieval.StreamRow{Handle: p.Rows[i].Handle, Found: found(site, &p.Rows[i].Submission)}
	}
	return rows
}

// onePage answers with one page, whatever is asked for: a page of a stream is one request.
type onePage struct{ answer *responses.Answer }

// Get implements sites.Getter.
func (p onePage) Get(context.Context, string) (sites.Page, error) {
	return sites.Page{Status: p.answer.Status, Body: p.answer.Body}, nil
}
