package badges

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Shared stands for a member where a difference is about what all badges share.
const Shared = 0

// A Difference is something of a badge that is not what the log of grants makes of it.
type Difference struct {
	Member           int64
	What, Is, Should string
	Takes            bool // To mend it takes a badge away.
}

// Check compares the badges of the members behind one and up to another with the log of grants, and with
// Shared among them the lists and the place in the log, too.
func Check(ctx context.Context, tx *gorm.DB, after, last int64) (list []Difference, err error) {
	if err := tx.WithContext(ctx).Raw(queries.Must("differences"), pg.Named("after", after, "last", last)).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("check badges: %w", err)
	}
	if after >= Shared {
		return list, nil
	}
	full, err := listsInUse(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, l := range full {
		list = append(list, Difference{Member: Shared, What: fmt.Sprint("status list ", l.List.Number),
			Is: fmt.Sprint(l.List.Used, " places given out"), Should: fmt.Sprint("more: ", l.Behind, " are in use that were not")})
	}
	var position, newest int64
	if err := tx.WithContext(ctx).Raw(`SELECT log_id, (SELECT coalesce(max(log_id), 0) FROM badges) FROM badge_position`).
		Row().Scan(&position, &newest); err != nil {
		return nil, fmt.Errorf("position of badges: %w", err)
	}
	if position != newest {
		list = append(list, Difference{Member: Shared, What: "place in the log of grants up to which there are badges",
			Is: fmt.Sprint(position), Should: fmt.Sprint(newest)})
	}
	return list, nil
}

// A listInUse is a status list of which more is in use than was given out.
type listInUse struct {
	List   badgeList `gorm:"embedded"`
	Behind int       // Places.
	Last   int       // The last place in use, in the order in which they are given out.
}

// listsInUse are the lists that would give out a place twice.
func listsInUse(ctx context.Context, tx *gorm.DB) (wrong []listInUse, err error) {
	var lists []listInUse
	err = tx.WithContext(ctx).Raw(`
		SELECT l.number, l.shuffle, l.used, count(b.id) AS last FROM badge_lists l JOIN badges b ON b.list = l.number
		GROUP BY l.number ORDER BY l.number`).Scan(&lists).Error
	for _, l := range lists {
		if err != nil || l.Last <= l.List.Used {
			continue // Places are given out once, so the badges of a list are no more than that.
		}
		var places []int
		err = tx.WithContext(ctx).Raw(`SELECT place FROM badges WHERE list = @list`, pg.Named("list", l.List.Number)).Scan(&places).Error
		l.Behind, l.Last = l.List.beyond(places)
		wrong = append(wrong, l)
	}
	if err != nil {
		return nil, fmt.Errorf("places of badges: %w", err)
	}
	return wrong, nil
}

// beyond counts the places in use that were not given out, and finds the last one.
func (l *badgeList) beyond(places []int) (n, last int) {
	inUse := make(map[int]bool, len(places))
	for _, p := range places {
		inUse[p] = true
	}
	for i, left := 0, len(inUse); left > 0 && i < 1<<17; i++ {
		if inUse[shuffled(l.Shuffle, i)] {
			left, last = left-1, i
			if i >= l.Used {
				n++
			}
		}
	}
	return n, last
}

// MendShared sets what all badges share to what the badges say.
func MendShared(ctx context.Context, tx *gorm.DB, now time.Time) error {
	lists, err := listsInUse(ctx, tx)
	for _, l := range lists {
		if err == nil {
			err = tx.WithContext(ctx).Exec(`UPDATE badge_lists SET used = @used WHERE number = @number`,
				pg.Named("used", l.Last+1, "number", l.List.Number)).Error
		}
	}
	if err == nil {
		err = tx.WithContext(ctx).Exec(`UPDATE badge_position SET log_id = (SELECT coalesce(max(log_id), 0) FROM badges)`).Error
	}
	if err != nil {
		return fmt.Errorf("mend what badges share: %w", err)
	}
	return Allot(ctx, tx, now)
}

// Link gives the badges of a member their lines of the log again, and the log the lines that only badges still know.
func Link(ctx context.Context, tx *gorm.DB, member int64) error {
	tx = tx.WithContext(ctx)
	err := tx.Exec(queries.Must("relink"), pg.Named("member", member)).Error
	if err == nil {
		err = tx.Exec(`
			INSERT INTO award_grant_log (id, grant_id, at, what, reason, author) OVERRIDING SYSTEM VALUE
			SELECT l.id, l.grant_id, l.at, l.what, l.reason, l.author
			FROM award_grant_lines l JOIN award_grants g ON g.id = l.grant_id WHERE g.member_id = @member AND l.lost`,
			pg.Named("member", member)).Error
	}
	if err != nil {
		return fmt.Errorf("link badges of member %d: %w", member, err)
	}
	return nil
}

// Mend makes the badges of a member what the log of grants makes of them.
func Mend(ctx context.Context, tx *gorm.DB, member int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(queries.Must("mend"), pg.Named("member", member, "now", now)).Error
	if err != nil {
		return fmt.Errorf("mend badges of member %d: %w", member, err)
	}
	var missing []wonLine
	err = tx.WithContext(ctx).Raw(`
		SELECT l.id AS log_id, l.grant_id, g.award_version,
			CASE WHEN l.what = 'granted' THEN g.granted_at ELSE l.at END AS granted_at
		FROM award_grant_log l JOIN award_grants g ON g.id = l.grant_id
		WHERE g.member_id = @member AND l.what IN ('granted', 'granted again') AND l.id <= (SELECT log_id FROM badge_position)
			AND NOT EXISTS (SELECT FROM badges b WHERE b.log_id = l.id AND b.superseded_by IS NULL) ORDER BY l.id`,
		pg.Named("member", member)).Scan(&missing).Error
	if err == nil && len(missing) > 0 {
		err = makeBadges(ctx, tx, missing, now)
	}
	if err == nil {
		err = tx.WithContext(ctx).Exec(queries.Must("mend_chains"), pg.Named("member", member)).Error
	}
	if err != nil {
		return fmt.Errorf("missing badges of member %d: %w", member, err)
	}
	return nil
}
