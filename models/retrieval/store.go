package retrieval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A Found submission is one row of a site's list, before it is stored.
type Found struct {
	ID          string    `json:"id"` // The site's own.
	At          time.Time `json:"at"`
	ProblemKey  string    `json:"problem_key"`
	ProblemName string    `json:"problem_name"` // "" where the list does not tell it.
	ProblemURL  string    `json:"problem_url"`
	Status      string    `json:"status"`
	Verdict     string    `json:"verdict"`
	Language    string    `json:"language"`
	Points      *float64  `json:"points"`
	URL         string    `json:"url"`
	ToMinute    bool      `json:"to_minute"` // The site tells no seconds; At is the beginning of the minute.
	About       bool      `json:"-"`         // At may be half an hour off: what is stored of the row is better.
	Expected    bool      `json:"expected"`  // Not a verdict that the site's reader does not know.
	SettlesAt   time.Time `json:"-"`         // Until then its verdict may change; zero: it will not.
	Formerly    string    `json:"formerly"`  // The ID while the site showed no number of it; "" where it always does.
}

// found is how a statement reads a JSON list of Found.
const found = `jsonb_to_recordset(CAST(@rows AS jsonb)) AS f(id text, at timestamptz, problem_key text, problem_name text,
	problem_url text, status text, verdict text, language text, points double precision, url text, to_minute boolean, formerly text, expected boolean)`

// Stored says what a page changed.
type Stored struct {
	Inserted, Revised int
	Asked             bool // The button was pressed: somebody waits for the rest.
}

// StorePage stores what was found so far and says which page comes next, in one
// transaction, so that a crash keeps every page read before it. Rows that are
// there already are revised where they differ. It also renews the lease, and is
// refused with ErrLeaseLost where the lease is gone.
func StorePage(ctx context.Context, db *gorm.DB, a *members.Account, rows []Found, nextPage int, lease time.Duration, now time.Time) (Stored, error) {
	var s Stored
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var from *time.Time
		if len(rows) > 0 {
			err := keepTimes(ctx, tx, a, rows)
			if err != nil {
				return err
			}
			if s, from, err = storeRows(ctx, tx, a, rows, now); err != nil {
				return err
			}
		}
		var held struct{ Asked bool }
		res := tx.Raw(`
			WITH held AS (
				UPDATE accounts SET page = @page, place = @place, leased_until = @until, new_rows = new_rows + @new, dirty_from = least(dirty_from, CAST(@from AS timestamptz))
				WHERE id = @id AND lease_id = @lease
				RETURNING member_id, requested_at IS NOT NULL AS asked)
			SELECT asked, CAST(pg_notify(@progress, CAST(member_id AS text)) AS text) FROM held`,
			pg.Named("page", nextPage, "place", a.Place, "until", now.Add(lease), "new", s.Inserted, "from", from, "id", a.ID, "lease", a.LeaseID, "progress", pg.ChannelProgress)).Scan(&held)
		s.Asked = held.Asked
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost // Rolls the rows back.
		}
		return res.Error
	})
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == "23503" { // foreign_key_violation
		err = pg.ErrLeaseLost // The account was removed meanwhile.
	}
	if err != nil {
		return Stored{}, fmt.Errorf("store page of %s: %w", a, err)
	}
	a.Page, a.NewRows = nextPage, a.NewRows+s.Inserted
	return s, nil
}

// withoutNUL returns the rows' JSON without the one character that PostgreSQL
// cannot store. Hardly any page has one, so most are only searched for it.
func withoutNUL(text []byte, rows []Found) ([]byte, error) {
	if !bytes.Contains(text, []byte(`\u0000`)) {
		return text, nil
	}
	rows = slices.Clone(rows)
	for i := range rows {
		f := &rows[i]
		for _, s := range []*string{&f.ID, &f.ProblemKey, &f.ProblemName, &f.ProblemURL, &f.Status, &f.Verdict, &f.Language, &f.URL, &f.Formerly} {
			*s = strings.ReplaceAll(*s, "\x00", "")
		}
	}
	return json.Marshal(rows)
}

// storeProblems stores the problems of a page by key, so that two pages never
// wait for each other.
func storeProblems(ctx context.Context, tx *gorm.DB, args map[string]any) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO problems (site, key, name, url)
		SELECT DISTINCT ON (problem_key) @site, problem_key, problem_name, problem_url FROM `+found+`
		ORDER BY problem_key, problem_name DESC
		ON CONFLICT (site, key) DO UPDATE SET name = EXCLUDED.name, url = EXCLUDED.url
		WHERE EXCLUDED.name <> '' AND (problems.name, problems.url) <> (EXCLUDED.name, EXCLUDED.url)`, args).Error
	if err != nil {
		return fmt.Errorf("problems: %w", err)
	}
	return nil
}

// storeRows stores the problems, the submissions that point to them, words that
// are new, and the events that tell of the submissions.
func storeRows(ctx context.Context, tx *gorm.DB, a *members.Account, rows []Found, now time.Time) (s Stored, from *time.Time, err error) {
	text, err := json.Marshal(rows)
	if err != nil {
		return s, nil, err
	}
	if text, err = withoutNUL(text, rows); err != nil {
		return s, nil, err
	}
	args := pg.Named("rows", string(text), "site", a.Site, "account", a.ID, "member", a.MemberID, "now", now)
	if err := storeProblems(ctx, tx, args); err != nil {
		return s, nil, err
	}
	if slices.ContainsFunc(rows, func(f Found) bool { return f.Formerly != "" }) {
		if err := renumber(ctx, tx, args, now); err != nil {
			return s, nil, err
		}
	}
	var out struct {
		Inserted, Revised int
		First             *time.Time
		IDs, Words        string
	}
	err = tx.WithContext(ctx).Raw(`
		WITH given AS (
			SELECT DISTINCT ON (f.id) f.*, p.id AS problem_id FROM `+found+`
			JOIN problems p ON p.site = @site AND p.key = f.problem_key
			ORDER BY f.id, f.status = 'PENDING'), -- Of two rows of one submission, the judged one is the later one.
		moved AS ( -- A revised time changes the day it leaves, too.
			SELECT s.submitted_at FROM submissions s JOIN given g ON s.account_id = @account AND s.site_id = g.id
			WHERE s.submitted_at <> g.at),
		stored AS (
			INSERT INTO submissions AS s (account_id, member_id, site, site_id, problem_id, status, verdict, language, points, submitted_at, url, to_minute, first_seen_at)
			SELECT @account, @member, @site, id, problem_id, status, verdict, language, points, at, url, to_minute, @now FROM given
			ORDER BY at, length(id), id -- Of the same second, in the order of the site's numbers.
			ON CONFLICT (account_id, site_id) DO UPDATE
			SET problem_id = EXCLUDED.problem_id, status = EXCLUDED.status, verdict = EXCLUDED.verdict, language = EXCLUDED.language,
				points = EXCLUDED.points, submitted_at = EXCLUDED.submitted_at, to_minute = EXCLUDED.to_minute, url = EXCLUDED.url, revised_at = @now,
				past = coalesce(s.past, '[]') || jsonb_build_object('until', CAST(@now AS timestamptz), 'problem_id', s.problem_id, 'status', s.status, 'verdict', s.verdict,
					'language', s.language, 'points', s.points, 'submitted_at', s.submitted_at, 'url', s.url)
			WHERE (s.problem_id, s.status, s.verdict, s.language, s.points, s.submitted_at, s.url)
				IS DISTINCT FROM (EXCLUDED.problem_id, EXCLUDED.status, EXCLUDED.verdict, EXCLUDED.language, EXCLUDED.points, EXCLUDED.submitted_at, EXCLUDED.url)
			RETURNING s.id, s.xmax = 0 AS inserted, s.submitted_at, s.status, s.verdict, s.language),
		words AS (
			SELECT 'language' AS kind, left(language, 200) AS word, count(*) AS n FROM stored WHERE inserted GROUP BY word
			UNION ALL SELECT 'verdict', left(verdict, 200) AS word, count(*) FROM stored WHERE status = 'OTH' AND verdict IN (SELECT verdict FROM given WHERE NOT expected) GROUP BY word)
		SELECT count(*) FILTER (WHERE inserted) AS inserted, count(*) FILTER (WHERE NOT inserted) AS revised,
			least(min(submitted_at), (SELECT min(submitted_at) FROM moved)) AS first, coalesce(CAST(json_agg(id) AS text), '') AS ids,
			(SELECT coalesce(CAST(json_agg(words) AS text), '') FROM words) AS words
		FROM stored`, args).Scan(&out).Error
	if err != nil {
		return s, nil, fmt.Errorf("submissions: %w", err)
	}
	if err := noteTerms(ctx, tx, a, out.Words, now); err != nil {
		return s, nil, err
	}
	if err := submissions.EmitSubmissions(ctx, tx, a.MemberID, out.IDs, now); err != nil {
		return s, nil, err
	}
	return Stored{Inserted: out.Inserted, Revised: out.Revised}, out.First, noteOpen(ctx, tx, a, rows, now)
}

// noteOpen notes until when verdicts may still change.
func noteOpen(ctx context.Context, tx *gorm.DB, a *members.Account, rows []Found, now time.Time) error {
	open := a.OpenAt
	for i := range rows {
		if f := &rows[i]; !f.SettlesAt.IsZero() {
			open = later(open, &f.SettlesAt)
		}
		if f := &rows[i]; f.Status == "PENDING" && f.At.After(now.Add(-pendingAtMost)) { // It is looked up again until it is judged.
			again := now.Add(dormantEvery)
			open = later(open, &again)
		}
	}
	if open == a.OpenAt {
		return nil
	}
	a.OpenAt = open
	return tx.WithContext(ctx).Exec(`UPDATE accounts SET open_at = greatest(open_at, CAST(@open AS timestamptz)) WHERE id = @id`,
		pg.Named("id", a.ID, "open", open)).Error
}

// later returns the later one of two moments, of which the first may be nil.
func later(a, b *time.Time) *time.Time {
	if a == nil || b.After(*a) {
		return b
	}
	return a
}
