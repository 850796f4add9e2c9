package retrieval

import (
	"context"
	"encoding/json"
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
	SourceBulk       Source = "bulk"        // A bulk check.
	SourceStream     Source = "stream"      // The site's activity stream.
	SourceContest    Source = "contest"     // A contest ended.
	SourceRequest    Source = "request"     // The button, on a site that was not asked.
	SourceSignIn     Source = "sign_in"     // The member signed in.
	SourceReturn     Source = "return"      // News on another of the member's sites.
	SourceOverflow   Source = "overflow"    // The account's own list is full.
	SourceUnnamed    Source = "unnamed"     // The account's own list has rows without a number.
	SourceAudit      Source = "audit"       // It is to be read whole again.
	SourceRetryAfter Source = "retry_after" // seen_at is the moment that the site names.
)

func (s Source) reason() Reason {
	switch s {
	case SourceBulk, SourceStream:
		return ReasonNews
	case SourceReturn:
		return ReasonReturn
	}
	return Reason(s)
}

// Evidence is what a source reports of an account.
type Evidence struct {
	AccountID     int64      `json:"account_id"`
	Source        Source     `json:"source"`
	HasNews       bool       `json:"has_news"`
	CompleteUntil *time.Time `json:"complete_until"` // Everything is known until then; nil: the source cannot tell.
	DueBy         *time.Time `json:"due_by"`         // The account should be fetched by then.
	AgainAt       *time.Time `json:"again_at"`       // When the source reports on the account again.
	SeenAt        time.Time  `json:"seen_at"`
}

// note stores evidence and plans the accounts that it is about. It returns for how many it counted
// as an empty retrieval.
func note(ctx context.Context, tx *gorm.DB, list []Evidence, rate float64, now time.Time) (empty int, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].AccountID
	}
	text, err := json.Marshal(list)
	if err != nil {
		return 0, err
	}
	if err := tx.WithContext(ctx).Exec(queries.Must("note_evidence"), pg.Named("evidence", string(text))).Error; err != nil {
		return 0, fmt.Errorf("note evidence: %w", err)
	}
	return plan(ctx, tx, ids, rate, now)
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

// A planned account is what the planner writes of it.
type planned struct {
	ID        int64      `json:"id"`
	Due       time.Time  `json:"due"`
	Reason    Reason     `json:"reason"`
	Delay     int        `json:"delay"`
	Retrieved *time.Time `json:"retrieved"`
	Complete  *time.Time `json:"complete"`
	Checked   time.Time  `json:"checked"`
}

// plan applies the evidence about accounts and plans them: the only function that writes when an
// account is due. An account that is being fetched is planned again when that ends.
func plan(ctx context.Context, tx *gorm.DB, ids []int64, rate float64, now time.Time) (empty int, err error) {
	list, err := lockAccounts(ctx, tx, ids)
	if err != nil {
		return 0, err
	}
	var evidence []Evidence
	err = tx.WithContext(ctx).Raw(`
		SELECT account_id, source, has_news, complete_until, due_by, again_at, seen_at FROM account_evidence
		WHERE account_id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &ids)).Scan(&evidence).Error
	if err != nil {
		return 0, fmt.Errorf("read evidence: %w", err)
	}
	of := map[int64][]Evidence{}
	for _, e := range evidence {
		of[e.AccountID] = append(of[e.AccountID], e)
	}
	plans := make([]planned, len(list))
	for i := range list {
		a, m := &list[i].Account, members.Member{TimeZone: list[i].TimeZone}
		p := Policy{m.Location(), rate, now}
		if applyEvidence(a, of[a.ID], p) {
			empty++
		}
		due, reason := Plan(a, of[a.ID], p)
		plans[i] = planned{a.ID, due, reason, a.Delay, a.LastRetrievedAt, a.CompleteUntil, a.CheckedAt}
	}
	text, err := json.Marshal(plans)
	if err != nil {
		return 0, err
	}
	if err := tx.WithContext(ctx).Exec(queries.Must("plan_write"), pg.Named("plans", string(text))).Error; err != nil {
		return 0, fmt.Errorf("write the plan: %w", err)
	}
	return empty, nil
}

// applyEvidence changes an account by the evidence about it, and says whether that counts as an
// empty retrieval.
func applyEvidence(a *members.Account, evidence []Evidence, p Policy) (empty bool) {
	active := a.State == members.StateActive && a.Failures == 0 && a.NotFound == 0 && !a.Leased(p.Now)
	for i := range evidence {
		e := &evidence[i]
		if e.HasNews {
			if e.Source.reason() == ReasonNews {
				a.Delay = 0
			}
			continue
		}
		if e.Source == SourceBulk { // Dormant accounts are claimed for bulk checks less often.
			a.CheckedAt = *later(&a.CheckedAt, new(e.SeenAt.Add(bulkEvery(a, e.SeenAt)-CheckEvery)))
		}
		if e.CompleteUntil == nil || !active {
			continue
		}
		if counts(a, e, p) {
			a.Delay, a.LastRetrievedAt, empty = a.Delay+1, &e.SeenAt, true
		}
		if a.Missing == 0 && a.Unread == 0 && a.CompleteUntil != nil && e.CompleteUntil.After(*a.CompleteUntil) {
			a.CompleteUntil = e.CompleteUntil
		}
	}
	return empty
}
