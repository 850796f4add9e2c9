package rankings

import (
	"context"
	"time"

	"laurel/handlers/web"
	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
)

// A shownList is the stored list that a ranking's page shows, all of it.
type shownList struct {
	Ranking  string               `json:"ladder"`
	At       time.Time            `json:"at"`
	SeenAt   *time.Time           `json:"seen_at"` // Null where there was no list.
	Size     *int                 `json:"size"`
	Complete bool                 `json:"complete"`
	Items    []modelhistory.Place `json:"items"`
}

func rankingSheet(l *modelhistory.Ranking) *web.Sheet {
	whole := shownList{Ranking: l.Name, At: l.At, Items: []modelhistory.Place{}}
	s := &web.Sheet{Name: "ranking-" + l.At.Format(web.FileStamp), Head: []string{"rank", "player", "score"}}
	if l.List != nil {
		seen := l.List.Seen.UTC()
		whole.SeenAt, whole.Size, whole.Complete, whole.Items = &seen, &l.List.Size, l.List.Size == len(l.List.Places), l.List.Places
	}
	for _, p := range whole.Items {
		s.Rows = append(s.Rows, []any{p.Rank, p.Player, p.Score})
	}
	s.Whole = whole
	return s
}

// A rankingChange is what differs of one player between two lists.
type rankingChange struct {
	Change    string   `json:"change"` // entered, left, moved, score.
	Player    string   `json:"player"`
	RankFrom  *int64   `json:"rank_from"`
	RankTo    *int64   `json:"rank_to"`
	ScoreFrom *float64 `json:"score_from"`
	ScoreTo   *float64 `json:"score_to"`
}

// A listDiff is what differs between two lists of a ranking. The changes are in
// the order of the later list, and those who left come last.
type listDiff struct {
	Ranking string          `json:"ladder"`
	From    time.Time       `json:"from"`
	To      time.Time       `json:"to"`
	SeenOld *time.Time      `json:"from_seen_at"` // Null where there was no list.
	SeenNew *time.Time      `json:"to_seen_at"`
	Same    int             `json:"same"`
	Items   []rankingChange `json:"items"`
}

func diffOf(before, after *modelhistory.Ranking) *listDiff {
	d := &listDiff{Ranking: after.Name, From: before.At, To: after.At, Items: []rankingChange{}}
	was := map[string]modelhistory.Place{}
	if before.List != nil {
		seen := before.List.Seen.UTC()
		d.SeenOld = &seen
		for _, p := range before.List.Places {
			was[p.Player] = p
		}
	}
	if after.List != nil {
		seen := after.List.Seen.UTC()
		d.SeenNew = &seen
		for _, p := range after.List.Places {
			old, known := was[p.Player]
			delete(was, p.Player)
			change := rankingChange{"", p.Player, old.Rank, p.Rank, old.Score, p.Score}
			switch {
			case !known:
				change.Change = "entered"
			case !equal(old.Rank, p.Rank):
				change.Change = "moved"
			case !equal(old.Score, p.Score):
				change.Change = "score"
			default:
				d.Same++
				continue
			}
			d.Items = append(d.Items, change)
		}
	}
	if before.List != nil {
		for _, p := range before.List.Places {
			if _, left := was[p.Player]; left {
				d.Items = append(d.Items, rankingChange{Change: "left", Player: p.Player, RankFrom: p.Rank, ScoreFrom: p.Score})
			}
		}
	}
	return d
}

// equal compares what a list may leave out.
func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func (d *listDiff) sheet() *web.Sheet {
	s := &web.Sheet{Name: "ranking-changes-" + d.To.Format(web.FileStamp),
		Head: []string{"change", "player", "rank_from", "rank_to", "score_from", "score_to"}, Whole: d}
	for _, i := range d.Items {
		s.Rows = append(s.Rows, []any{i.Change, i.Player, i.RankFrom, i.RankTo, i.ScoreFrom, i.ScoreTo})
	}
	return s
}

func (d *listDiff) view(ctx context.Context) *archiveviews.RankingDiff {
	v := &archiveviews.RankingDiff{Before: web.Deref(d.SeenOld), After: web.Deref(d.SeenNew), Same: d.Same}
	for _, i := range d.Items {
		history := historyAddress(d.Ranking, i.Player)
		move := archiveviews.RankingMove{Player: i.Player, History: history, From: i.RankFrom, To: i.RankTo,
			ScoreFrom: scoreText(ctx, i.ScoreFrom),
			ScoreTo:   scoreText(ctx, i.ScoreTo)}
		switch i.Change {
		case "entered":
			v.Entered = append(v.Entered, archiveviews.RankingRow{Player: i.Player, History: history, Rank: i.RankTo, Score: move.ScoreTo})
		case "left":
			v.Left = append(v.Left, archiveviews.RankingRow{Player: i.Player, History: history, Rank: i.RankFrom, Score: move.ScoreFrom})
		case "moved":
			v.Moved = append(v.Moved, move)
		default:
			v.Changed = append(v.Changed, move)
		}
	}
	return v
}
