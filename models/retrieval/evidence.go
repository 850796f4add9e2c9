package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Source is where evidence comes from.
type Source string

// Sources of evidence. Each has at most one row for an account.
const (
	SourceBulk     Source = "bulk"     // A bulk check.
	SourceStream   Source = "stream"   // What everybody submits.
	SourceContest  Source = "contest"  // A contest ended.
	SourceRequest  Source = "request"  // The button, on a site that was not asked.
	SourceSignIn   Source = "sign_in"  // The member signed in.
	SourceReturn   Source = "return"   // News on another of the member's sites.
	SourceOverflow Source = "overflow" // The account's own list is full.
	SourceUnnamed  Source = "unnamed"  // The account's own list has rows without a number.
	SourceWish     Source = "wish"     // Retry-After: seen_at is the moment that the site names.
)

func (s Source) reason() Reason {
	return map[Source]Reason{SourceBulk: ReasonNews, SourceStream: ReasonNews, SourceContest: ReasonContest, SourceRequest: ReasonRequest,
		SourceSignIn: ReasonSignIn, SourceReturn: ReasonReturn, SourceOverflow: ReasonOverflow, SourceUnnamed: ReasonUnnamed}[s]
}

// Evidence is what a source knows of an account.
type Evidence struct {
	AccountID     int64
	Source        Source
	HasNews       bool
	CompleteUntil *time.Time // Everything is known until then; nil: it does not say.
	DueBy         *time.Time // The account should be fetched by then.
	AgainAt       *time.Time // When the source speaks of the account again.
	SeenAt        time.Time
}

// note stores evidence and plans the accounts that it is about. It returns for how many
// it counted as an empty retrieval.
func note(ctx context.Context, tx *gorm.DB, list []Evidence, rate float64, now time.Time) (empty int, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	var ids []int64
	var sources []string
	var news []bool
	var complete, due, again, seen []*time.Time
	for i := range list {
		e := &list[i]
		ids, sources, news = append(ids, e.AccountID), append(sources, string(e.Source)), append(news, e.HasNews)
		complete, due, again, seen = append(complete, e.CompleteUntil), append(due, e.DueBy), append(again, e.AgainAt), append(seen, &e.SeenAt)
	}
	err = tx.WithContext(ctx).Exec(queries.Must("note_evidence"), pg.Named("ids", &ids, "sources", &sources, "news", &news, "complete", &complete, "due", &due, "again", &again, "seen", &seen)).Error
	if err != nil {
		return 0, fmt.Errorf("note evidence: %w", err)
	}
	return plan(ctx, tx, ids, rate, now)
}

// A planned account comes with all that Plan needs of it.
type planned struct {
	members.Account
	TimeZone string
	evidence []Evidence
}

// plan takes in the evidence about accounts and plans them: the only function that writes
// when an account is fetched next. Who is being fetched is planned when that ends.
func plan(ctx context.Context, tx *gorm.DB, ids []int64, rate float64, now time.Time) (empty int, err error) {
	var list []planned
	if err := tx.WithContext(ctx).Raw(queries.Must("plan_read"), pg.Named("ids", &ids)).Scan(&list).Error; err != nil {
		return 0, fmt.Errorf("read accounts to plan: %w", err)
	}
	var evidence []Evidence
	err = tx.WithContext(ctx).Raw(`
		SELECT account_id, source, has_news, complete_until, due_by, again_at, seen_at FROM account_evidence WHERE account_id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &ids)).Scan(&evidence).Error
	if err != nil {
		return 0, fmt.Errorf("read evidence: %w", err)
	}
	of := map[int64][]Evidence{}
	for _, e := range evidence {
		of[e.AccountID] = append(of[e.AccountID], e)
	}
	for i := range list {
		list[i].evidence = of[list[i].ID]
	}
	var w planWrite
	for i := range list {
		if w.add(&list[i], rate, now) {
			empty++
		}
	}
	if err := w.store(ctx, tx); err != nil {
		return 0, fmt.Errorf("write the plan: %w", err)
	}
	return empty, nil
}

// A planWrite is the columns of one UPDATE.
type planWrite struct {
	ids, delays        []int64
	dues               []time.Time
	reasons            []string
	retrieved, covered []*time.Time
}

// add takes in the evidence about an account and plans it; true where that counted as an
// empty retrieval.
func (w *planWrite) add(x *planned, rate float64, now time.Time) (empty bool) {
	m := members.Member{TimeZone: x.TimeZone}
	a, p := &x.Account, Policy{m.Location(), rate, now}
	for i := range x.evidence {
		e := &x.evidence[i]
		if e.HasNews && e.Source == SourceBulk {
			a.Delay = 0
		}
		if e.CompleteUntil == nil || e.HasNews || a.State != members.StateActive || a.Failures > 0 || a.NotFound > 0 || a.Leased(now) {
			continue
		}
		if counts(a, e, p) {
			a.Delay, a.LastRetrievedAt, empty = a.Delay+1, &e.SeenAt, true
		}
		if a.Missing == 0 && a.CompleteUntil != nil && e.CompleteUntil.After(*a.CompleteUntil) {
			a.CompleteUntil = e.CompleteUntil
		}
	}
	due, reason := Plan(a, x.evidence, p)
	w.ids, w.delays, w.dues, w.reasons = append(w.ids, a.ID), append(w.delays, int64(a.Delay)), append(w.dues, due), append(w.reasons, string(reason))
	w.retrieved, w.covered = append(w.retrieved, a.LastRetrievedAt), append(w.covered, a.CompleteUntil)
	return empty
}

func (w *planWrite) store(ctx context.Context, tx *gorm.DB) error {
	return tx.WithContext(ctx).Exec(queries.Must("plan_write"),
		pg.Named("ids", &w.ids, "delays", &w.delays, "dues", &w.dues, "reasons", &w.reasons, "retrieved", &w.retrieved, "covered", &w.covered)).Error
}

// dueNow notes that accounts should be fetched now.
func dueNow(ctx context.Context, tx *gorm.DB, ids []int64, source Source, now time.Time) error {
	list := make([]Evidence, len(ids))
	for i, id := range ids {
		list[i] = Evidence{AccountID: id, Source: source, HasNews: true, DueBy: &now, SeenAt: now}
	}
	_, err := note(ctx, tx, list, 1, now)
	return err
}
