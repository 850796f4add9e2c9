package history

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
)

// A Ranking is an ordered list of players as known at an instant: what the newest fetch at or before
// it showed.
type Ranking struct {
	Name  string
	At    time.Time
	List  *RankingList // Nil where there was none: not yet, or not any more.
	Was   *RankingList // The list before it, which differs; nil where there is none.
	Ended string       // Where List is nil, why the last one ended; "" where none was seen by then.
	// The fetches that showed a list, and the ones that showed another one than
	// before, around the instant; the first and the last of all fetches.
	PrevFetch, NextFetch, PrevChange, NextChange *time.Time
	First, Last                                  time.Time
	// The page that showed List first; "" without List.
	Source, Address, Viewer string
}

// A RankingList is a list that fetches showed.
type RankingList struct {
	Seen   time.Time // The newest fetch that showed it: at or before the instant, or before it ended.
	Size   int       // Of the ranking; the list may be the first places only.
	Places []Place
}

// rankingKey names a ranking in the shard of lists.
func rankingKey(name string) []shards.Row { return []shards.Row{{"ladder": name}} }

// Storable says whether a text can be in the archive at all. Names of rankings and
// players are what somebody calls them: nothing is taken off.
func Storable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// RankingAt returns a ranking as known at t, or ErrNotFound if no fetch ever showed it.
func RankingAt(ctx context.Context, db *gorm.DB, name string, t, now time.Time) (Ranking, error) {
	l := Ranking{Name: name, At: t.UTC().Truncate(time.Microsecond)}
	if !Storable(name) {
		return l, fmt.Errorf("ranking %q: %w", name, pg.ErrNotFound)
	}
	k, err := rankingAround(ctx, db, l.Name, l.At)
	if err == nil && len(k.Rows) == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return l, fmt.Errorf("ranking %q: %w", name, err)
	}
	l.steps(&k)
	if k.Valid != nil && k.Before == nil {
		before, err := rankingAround(ctx, db, l.Name, k.Valid.ValidFrom.Add(-time.Microsecond))
		if err != nil {
			return l, fmt.Errorf("ranking %q: %w", name, err)
		}
		if k.Before = before.Valid; k.Before == nil {
			k.Before = before.Before
		}
	}
	if k.Valid == nil && k.Before != nil {
		l.Ended = k.Before.EndReason
	}
	if err := l.readLists(ctx, db, &k); err != nil {
		return l, fmt.Errorf("ranking %q: %w", name, err)
	}
	if err := l.readEnds(ctx, db, now); err != nil {
		return l, fmt.Errorf("ranking %q: %w", name, err)
	}
	return l, nil
}

// rankingAround is what is known of a ranking's lists around an instant.
func rankingAround(ctx context.Context, db *gorm.DB, name string, t time.Time) (Known, error) {
	s, err := archive.Lookup(ctx, db, listsShard)
	if err != nil {
		return Known{}, err
	}
	rows, err := archive.Around(ctx, db, []archive.Wanted{{Shard: s, Keys: rankingKey(name)}}, t, t, t.Add(time.Microsecond))
	if err != nil {
		return Known{}, err
	}
	k := Known{Shard: s, Rows: rows[0]}
	k.place(t)
	return k, nil
}

// steps finds the instants around the one asked about.
func (l *Ranking) steps(k *Known) {
	for _, r := range k.Rows {
		nearest(l.At, &r.ValidFrom, &l.PrevChange, &l.NextChange)
		nearest(l.At, r.ValidUntil, &l.PrevChange, &l.NextChange)
		for _, at := range r.Retrieved {
			nearest(l.At, &at, &l.PrevFetch, &l.NextFetch)
		}
	}
}

// readLists reads the list of the instant with its page, and the list before it.
func (l *Ranking) readLists(ctx context.Context, db *gorm.DB, k *Known) (err error) {
	if k.Valid == nil {
		return nil
	}
	err = db.WithContext(ctx).Raw(`
		SELECT p.source, p.address, p.viewer FROM (
			SELECT _seen[1] AS first FROM shard_ladder_list WHERE ladder = @ladder AND _from = @from
			UNION ALL SELECT _seen[1] FROM shard__past_ladder_list WHERE ladder = @ladder AND _from = @from) x
		JOIN archive_retrievals r ON r.id = x.first JOIN archive_pages p ON p.id = r.page_id`,
		pg.Named("ladder", l.Name, "from", k.Valid.ValidFrom)).Row().Scan(&l.Source, &l.Address, &l.Viewer)
	if err != nil {
		return err
	}
	if l.List, err = listOf(ctx, db, k.Valid); err == nil && k.Before != nil {
		l.Was, err = listOf(ctx, db, k.Before)
	}
	if err != nil || !OwnRanking(l.Name) {
		return err
	}
	return leaveOut(ctx, db, l.List, l.Was)
}

// leaveOut takes the places of members out of lists of our own rankings who stay off the boards,
// or whom the one who asks may not see. The others keep the ranks that they had.
func leaveOut(ctx context.Context, db *gorm.DB, lists ...*RankingList) error {
	var names, out []string
	for _, l := range lists {
		if l != nil {
			names = append(names, *pg.Column(l.Places, func(p *Place) string { return strings.ToLower(p.Player) })...)
		}
	}
	err := db.WithContext(ctx).Raw(`
		SELECT lower(name) FROM members
		WHERE lower(name) = ANY(CAST(@names AS text[])) AND (off_boards OR NOT visible_to(@asking, id, audience))`,
		pg.Named("names", &names, "asking", members.Asking(ctx))).Scan(&out).Error
	if err != nil {
		return fmt.Errorf("who is left out of rankings: %w", err)
	}
	for _, l := range lists {
		if l != nil {
			l.share()
		}
		if l != nil && len(out) > 0 {
			l.Places = slices.DeleteFunc(l.Places, func(p Place) bool { return slices.Contains(out, strings.ToLower(p.Player)) })
		}
	}
	return nil
}

func listOf(ctx context.Context, db *gorm.DB, row *archive.Snapshot) (*RankingList, error) {
	stored, err := archive.ListByID(ctx, db, figures(row.Data).text("list"))
	if err != nil {
		return nil, err
	}
	l := &RankingList{Seen: row.ValidFrom, Size: stored.Size, Places: make([]Place, len(stored.Items))}
	if row.SeenBefore != nil {
		l.Seen = *row.SeenBefore
	}
	for i, item := range stored.Items {
		if err := json.Unmarshal(item, &l.Places[i]); err != nil {
			return nil, fmt.Errorf("list %s is not of a ranking: %w", stored.ID, err)
		}
	}
	return l, nil
}

// RankingSince is when a fetch first showed a list of a ranking; nil: none did.
func RankingSince(ctx context.Context, db *gorm.DB, name string) (*time.Time, error) {
	var first *time.Time
	err := db.WithContext(ctx).Raw(`
		SELECT least(
			(SELECT min(_from) FROM shard__past_ladder_list WHERE ladder = @ladder),
			(SELECT _from FROM shard_ladder_list WHERE ladder = @ladder))`, pg.Named("ladder", name)).Row().Scan(&first)
	if err != nil || first == nil {
		return nil, err
	}
	return new(first.UTC()), nil
}

// readEnds finds the first and the last fetch that showed a list.
func (l *Ranking) readEnds(ctx context.Context, db *gorm.DB, now time.Time) error {
	first, err := RankingSince(ctx, db, l.Name)
	if err != nil || first == nil {
		return err
	}
	l.First = *first
	k, err := rankingAround(ctx, db, l.Name, now)
	l.Last = l.First
	for _, r := range k.Rows {
		if n := len(r.Retrieved); n > 0 && r.Retrieved[n-1].After(l.Last) {
			l.Last = r.Retrieved[n-1]
		}
	}
	return err
}

// RankingTimes returns the newest instants at which a fetch showed a list of the
// ranking, oldest first, at most limit.
func RankingTimes(ctx context.Context, db *gorm.DB, name string, limit int) ([]time.Time, error) {
	if !Storable(name) {
		return nil, fmt.Errorf("ranking %q: %w", name, pg.ErrNotFound)
	}
	s, err := archive.Lookup(ctx, db, listsShard)
	if err != nil {
		return nil, err
	}
	rows, err := archive.History(ctx, db, s, archive.Query{Key: rankingKey(name)[0]})
	if err == nil && len(rows) == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("ranking %q: %w", name, err)
	}
	var all []time.Time
	for _, r := range rows {
		all = append(all, r.Retrieved...)
	}
	slices.SortFunc(all, time.Time.Compare)
	return all[max(0, len(all)-limit):], nil
}

// RankHistory returns the places that a player had in a ranking, oldest first.
func RankHistory(ctx context.Context, db *gorm.DB, name, player string) ([]archive.Snapshot, error) {
	if !Storable(name) || !Storable(player) {
		return nil, nil
	}
	s, err := archive.Lookup(ctx, db, placesShard)
	if err != nil {
		return nil, err
	}
	rows, err := archive.History(ctx, db, s, archive.Query{Key: shards.Row{"ladder": name, "player": player}})
	if err != nil {
		return nil, fmt.Errorf("climb of %q in %q: %w", player, name, err)
	}
	return rows, nil
}
