package archive

import (
	"strings"
	"testing"
	"time"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

func TestRankingSays(t *testing.T) {
	l := sampleRanking()
	zone := " · times in Europe/Riga"
	for _, tt := range []struct {
		edit func(*Ranking)
		want string
	}{
		{func(*Ranking) {}, "list of 4 Mar 11:58 (2 min before), 42 of 42 rows · next check 58 min later" + zone},
		{func(l *Ranking) { l.Seen, l.Size, l.Stored, l.Next = viewstest.Then, 5000, 100, time.Time{} }, "list of 4 Mar 12:00, first 100 of 5,000 rows · not checked since" + zone},
		{func(l *Ranking) { l.Stored, l.Size = 0, 0 }, "list of 4 Mar 11:58 (2 min before), 0 of 0 rows · next check 58 min later" + zone},
		{func(l *Ranking) { l.Seen = time.Time{} }, strings.TrimPrefix(zone, " · ")},
	} {
		p := l
		tt.edit(&p)
		if got := rankingText(t.Context(), p); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestMoves(t *testing.T) {
	for _, tt := range []struct {
		rank, was          int64 // 0 is none.
		mark, words, class string
	}{
		{1, 2, "▲ 1", "up 1 place", parts.Good}, {5, 2, "▼ 3", "down 3 places", parts.Bad}, {3, 3, "=", "unchanged", "soft"}, {4, 0, "not ranked before", "not ranked before", "soft"},
		{0, 4, "no longer ranked", "no longer ranked", "soft"}, {0, 0, "=", "unchanged", "soft"}, {-1, 1, "▲ 2", "up 2 places", parts.Good},
	} {
		r := RankingRow{}
		if tt.rank != 0 {
			r.Rank = &tt.rank
		}
		if tt.was != 0 {
			r.Was = &tt.was
		}
		if moveMark(t.Context(), r) != tt.mark || moveWords(t.Context(), r) != tt.words || moveClass(r) != tt.class {
			t.Errorf("from %d to %d: %q, %q, %q", tt.was, tt.rank, moveMark(t.Context(), r), moveWords(t.Context(), r), moveClass(r))
		}
	}
	if r := (RankingRow{Rank: new(int64(4)), New: true}); moveMark(t.Context(), r) != "new" || moveWords(t.Context(), r) != "new" {
		t.Errorf("who is new: %q, %q", moveMark(t.Context(), r), moveWords(t.Context(), r))
	}
	for want, p := range map[string]Ranking{"The ranking was empty": {}, "only the number of rows": {Size: 10}} {
		if got := nobodyText(t.Context(), p); !strings.Contains(got, want) {
			t.Errorf("a list of %d without rows: %q", p.Size, got)
		}
	}
}

func TestDiffWords(t *testing.T) {
	for _, tt := range []struct{ then, after, want string }{
		{"1,100", "1,284", "+184"}, {"1874", "801", "−1,073"}, {"", "5", "new"}, {"5", "", "no longer known"}, {"Latvia", "Estonia", "changed"},
	} {
		if got := differenceText(t.Context(), DiffNumber{Then: tt.then, After: tt.after}); got != tt.want {
			t.Errorf("%q to %q: %q, want %q", tt.then, tt.after, got, tt.want)
		}
	}
	if got := diffSum(t.Context(), sampleDiff().Numbers); got != "5 changed, 1 unchanged" {
		t.Errorf("%q", got)
	}
	d := sampleRankingDiff()
	d.Ranking = &RankingDiff{Before: viewstest.Then, After: viewstest.Then, Same: 1}
	if got := listsText(t.Context(), d) + " " + sameText(t.Context(), d.Ranking); got != "Both times show the same list, of 4 Mar 12:00. Nothing changed: 1 place is the same." {
		t.Errorf("%q", got)
	}
}
