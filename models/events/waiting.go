package events

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// An event about somebody who is not known yet waits for a member of that name whom an admin makes or confirms: by an
// import, by the API, by an invitation. Whoever signs up under the name gets nothing of it.

const (
	waitAtMost = 100_000 // Of all names.
	waitEach   = 1000    // Of one name, about: a batch may exceed it.
	waitFor    = 30 * 24 * time.Hour
	admitted   = 10 // Members whose events are taken in together.
)

// strangers are events about people who are not known, by where they stand in the list.
type strangers struct {
	at                            []int
	sources, ids, members, bodies []string
}

func (s *strangers) add(i int, e *rules.Event) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	s.at, s.sources, s.ids = append(s.at, i), append(s.sources, e.Source), append(s.ids, e.ID)
	s.members, s.bodies = append(s.members, strings.ToLower(pg.CleanText(e.Member))), append(s.bodies, string(body))
	return nil
}

// wait keeps them, and counts what became of each.
func (s *strangers) wait(ctx context.Context, tx *gorm.DB, out *Appended, now time.Time) error {
	if len(s.at) == 0 {
		return nil
	}
	var rows []struct {
		Source, EventID string
		Fresh           bool
	}
	err := tx.WithContext(ctx).Raw(queries.Must("wait"), pg.Named("sources", &s.sources, "ids", &s.ids, "members", &s.members,
		"bodies", &s.bodies, "now", now, "most", waitAtMost, "each", waitEach)).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("events that wait: %w", err)
	}
	fresh := map[[2]string]bool{}
	for _, r := range rows {
		fresh[[2]string{r.Source, r.EventID}] = r.Fresh
	}
	for n, i := range s.at {
		key := [2]string{s.sources[n], s.ids[n]}
		isFresh, known := fresh[key]
		switch {
		case isFresh:
			out.Waiting++
			fresh[key] = false // The same again in this list.
		case known:
			out.Duplicate++
		default:
			out.Rejected = append(out.Rejected, RejectedEvent{i, fmt.Sprintf(
				"member: no member is named %q, and too many events wait for members already", s.members[n])})
		}
	}
	return nil
}

// Admit takes in what waited for members whom an admin made or confirmed since, of a few of them. It returns how many
// members it was.
func Admit(ctx context.Context, db *gorm.DB, now time.Time) (n int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var names []string
		err := tx.Raw(`
			UPDATE members SET admits = false
			WHERE id IN (SELECT id FROM members WHERE admits AND NOT custom ORDER BY id LIMIT @limit FOR UPDATE SKIP LOCKED)
			RETURNING lower(name)`, pg.Named("limit", admitted)).Scan(&names).Error
		if n = len(names); err != nil || n == 0 {
			return err
		}
		var bodies []string
		err = tx.Raw(`
			WITH taken AS (DELETE FROM event_waiting WHERE member = ANY(CAST(@names AS text[])) RETURNING id, body)
			SELECT body FROM taken ORDER BY id`, pg.Named("names", &names)).Scan(&bodies).Error
		if err != nil {
			return err
		}
		list := make([]rules.Event, 0, len(bodies))
		for _, b := range bodies {
			if e, wrong := rules.ParseEvent([]byte(b)); len(wrong) == 0 {
				list = append(list, e)
			}
		}
		_, err = Append(ctx, tx, list, now)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("take in events that waited: %w", err)
	}
	return n, nil
}

// ForgetWaiting drops what waited for too long.
func ForgetWaiting(ctx context.Context, db *gorm.DB, now time.Time) error {
	err := db.WithContext(ctx).Exec(`DELETE FROM event_waiting WHERE stored_at < @before`, pg.Named("before", now.Add(-waitFor))).Error
	if err != nil {
		return fmt.Errorf("drop events that waited: %w", err)
	}
	return nil
}

// Strangers is how many events wait for members who are not known.
func Strangers(ctx context.Context, db *gorm.DB) (n int, err error) {
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM event_waiting`).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("events that wait: %w", err)
	}
	return n, nil
}
