package history

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
)

// A ranking is a list of players by rank, seen again and again. Each fetch that
// shows it stores the list whole, in the shard ladder_list, besides the places
// of its players in the shard ladder: a page of the ranking is shown from one
// list, never put together from what was seen at different instants.

// A Place is a line of a ranking.
type Place struct {
	Player string   `json:"player"`
	Rank   *int64   `json:"rank"`
	Score  *float64 `json:"score"`
}

// A RankingPage is what one fetch of a ranking showed.
type RankingPage struct {
	Name                    string
	Source, Address, Viewer string
	At                      time.Time
	Places                  []Place
	Size                    int  // Of the whole ranking, as the page says; it may show fewer places.
	Own                     bool // As in archive.Response.
}

// StoreRanking stores a fetch of a ranking: its list and its places, in one
// transaction and one response. An empty ranking is a list.
func StoreRanking(ctx context.Context, db *gorm.DB, l RankingPage, now time.Time) (archive.Result, error) {
	r := archive.Response{Source: l.Source, Address: l.Address, Viewer: l.Viewer, At: l.At, Own: l.Own, Shards: map[string][]shards.Row{}}
	rows := make([]shards.Row, len(l.Places))
	for i, p := range l.Places {
		rows[i] = shards.Row{"ladder": l.Name, "player": p.Player, "rank": nil, "score": nil}
		if p.Rank != nil {
			rows[i]["rank"] = *p.Rank
		}
		if p.Score != nil {
			rows[i]["score"] = *p.Score
		}
	}
	r.Shards[placesShard] = rows
	return StoreResponse(ctx, db, r, map[string]int{l.Name: l.Size}, now)
}

const (
	placesShard = "ladder"
	listsShard  = "ladder_list"
)

// StoreResponse is archive.Store, which also stores the list of every ranking that
// the response shows: all of it where the response is complete for the ranking,
// and the first rows of it where sizes, by the ranking's name, says how many
// there are. Other rows of rankings are places without a list.
func StoreResponse(ctx context.Context, db *gorm.DB, r archive.Response, sizes map[string]int, now time.Time) (archive.Result, error) {
	if err := checkRankings(&r); err != nil {
		return archive.Result{}, err
	}
	lists, err := rankingLists(&r, sizes)
	if err != nil {
		return archive.Result{}, err
	}
	if len(lists) == 0 || r.Outcome != "" {
		return archive.Store(ctx, db, r, now)
	}
	var res archive.Result
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		rows, err := putLists(ctx, tx, lists)
		if err != nil {
			return err
		}
		r.Shards = maps.Clone(r.Shards)
		r.Shards[listsShard] = slices.Concat(r.Shards[listsShard], rows)
		res, err = archive.Store(ctx, tx, r, now)
		return err
	})
	return res, err
}

// checkRankings keeps Laurel's own rankings its own.
func checkRankings(r *archive.Response) error {
	for _, shard := range []string{placesShard, listsShard} {
		for n, row := range r.Shards[shard] {
			if name, _ := row["ladder"].(string); r.Source != OwnSource && OwnRanking(name) {
				return &shards.InputError{Shard: shard, Row: n, Field: "ladder",
					Message: fmt.Sprintf("%q is a ranking that Laurel computes; use another name", name)}
			}
		}
	}
	return nil
}

// A shownRanking is a ranking as a response shows it.
type shownRanking struct {
	places []Place
	size   int
	all    bool
}

// rankingLists finds the rankings of which a response shows a list, and notes the
// ones that are complete because all that there are were shown.
func rankingLists(r *archive.Response, sizes map[string]int) (map[string]*shownRanking, error) {
	lists := map[string]*shownRanking{}
	for _, scope := range r.Complete[placesShard] {
		if name, ok := scope["ladder"].(string); ok {
			lists[name] = &shownRanking{all: true}
		}
	}
	for name := range sizes {
		if lists[name] == nil {
			lists[name] = &shownRanking{}
		}
	}
	for _, row := range r.Shards[placesShard] {
		name, ok := row["ladder"].(string)
		if p, good := placeOf(row); !ok || !good {
			return nil, nil // The archive says what is wrong with it.
		} else if lists[name] != nil {
			lists[name].places = append(lists[name].places, p)
		}
	}
	for _, row := range r.Shards[listsShard] {
		if name, ok := row["ladder"].(string); ok {
			delete(lists, name) // The response names the list itself.
		}
	}
	return lists, completeRankings(r, lists, sizes)
}

// completeRankings finds the sizes, and notes in the response the rankings of which
// it shows all that there are.
func completeRankings(r *archive.Response, lists map[string]*shownRanking, sizes map[string]int) error {
	complete := map[string][]shards.Row{}
	for shard, scopes := range r.Complete {
		complete[shard] = slices.Clone(scopes)
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		l, scope := lists[name], shards.Row{"ladder": name}
		size, given := sizes[name]
		if l.size = len(l.places); given {
			l.size = size
		}
		switch {
		case l.size < len(l.places) || l.all && l.size > len(l.places):
			return &shards.InputError{Shard: placesShard, Row: -1, Field: "size", Ranking: name,
				Message: fmt.Sprintf("ranking %q has %d rows, which cannot be all or the first of %d", name, len(l.places), size)}
		case r.Gone && l.size == 0: // It is not empty; it is no more.
			complete[listsShard] = append(complete[listsShard], scope)
			delete(lists, name)
		case l.size == len(l.places) && !l.all:
			complete[placesShard] = append(complete[placesShard], scope)
		}
	}
	r.Complete = complete
	return nil
}

// placeOf reads a row of the shard ladder, unless its types are wrong.
func placeOf(row shards.Row) (p Place, ok bool) {
	if p.Player, ok = row["player"].(string); !ok || !Storable(p.Player) {
		return p, false
	}
	rank, ok1 := numberOf(row["rank"])
	score, ok2 := numberOf(row["score"])
	if rank != nil {
		p.Rank = new(int64(*rank))
	}
	p.Score = score
	return p, ok1 && ok2
}

func numberOf(v any) (*float64, bool) {
	switch n := v.(type) {
	case nil:
		return nil, true
	case int:
		return new(float64(n)), true
	case int64:
		return new(float64(n)), true
	case float64:
		return &n, !math.IsInf(n, 0) && !math.IsNaN(n)
	case json.Number:
		f, err := n.Float64()
		return &f, err == nil
	}
	return nil, false
}

// byRank orders places, those without a rank last.
func byRank(a, b Place) int {
	switch {
	case a.Rank == nil && b.Rank == nil:
		return 0
	case a.Rank == nil:
		return 1
	case b.Rank == nil:
		return -1
	}
	return cmp.Compare(*a.Rank, *b.Rank)
}

// putLists stores lists and returns the rows that say which ranking showed which.
func putLists(ctx context.Context, tx *gorm.DB, lists map[string]*shownRanking) ([]shards.Row, error) {
	if len(lists) > 1 {
		// Equal lists of different rankings are one row, and two transactions could
		// make two of them in two orders and wait for each other. With one list
		// each nobody waits, as rows of lists come before all locks of the archive.
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended('laurel lists', 0))`).Error; err != nil {
			return nil, fmt.Errorf("lock of lists: %w", err)
		}
	}
	var rows []shards.Row
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		shown := lists[name]
		slices.SortStableFunc(shown.places, byRank)
		items := make([]any, len(shown.places))
		for i, p := range shown.places {
			items[i] = p
		}
		l, err := archive.PutList(ctx, tx, items, shown.size)
		if err != nil {
			return nil, err
		}
		rows = append(rows, shards.Row{"ladder": name, "list": l.ID, "size": l.Size})
	}
	return rows, nil
}
