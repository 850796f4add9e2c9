package archive

import (
	"fmt"
	"time"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/viewstest"
)

// Samples of the pages around a history: shards, ladders, differences, checks.

func sampleTimeline() KeyTimeline {
	s := sampleNumbers()[2].Strip
	s.Wide = true
	s = failing(s, viewstest.March(20, 0, 0), viewstest.March(23, 0, 0))
	return KeyTimeline{
		Frame: viewstest.Frame("CodeChef rating of ada_l", "/archive/account_rating/history", "ada"), Now: viewstest.Now, Title: "CodeChef rating of ada_l", About: parts.Choice{Value: "/u/ada", Text: "Ada L. (sample)"},
		Key: []parts.Choice{{Value: "site", Text: "codechef"}, {Value: "handle", Text: "ada_l"}}, Fields: []string{"rating", "best"}, Strip: s,
		Periods: []Period{
			{From: viewstest.March(5, 5, 0), Checks: 41, First: viewstest.March(5, 5, 0), Last: viewstest.March(30, 9, 0), Values: []string{"1702", "1702"}},
			{From: s.From, Until: viewstest.March(5, 5, 0), Checks: 60, First: s.From, Last: viewstest.March(4, 3, 0), Reason: "changed", Values: []string{"1688", ""}},
		},
		Older: "/archive/account_rating/history?before=x", Exports: Exports{CSV: "/a.csv", JSON: "/a.json"},
	}
}

func sampleShard() Shard {
	at := func(c Certainty, from time.Time, key string, values ...string) ShardRow {
		return ShardRow{Key: []string{"Sample College", key}, Values: values, From: from, Certainty: c, Timeline: "/archive/ladder/history?player=" + key}
	}
	return Shard{
		Frame: viewstest.Frame("Places in rankings", "/archive/ladder", "ada"), Now: viewstest.Now, At: viewstest.Then, Name: "ladder", Title: "Places in rankings", Archive: "/archive", Path: "/archive/ladder",
		Filter: []ShardField{{"ladder", "text", "Sample College"}, {"player", "text", ""}}, Fields: []string{"rank", "score"},
		Steps: Steps{Base: "/archive/ladder?ladder=Sample+College", At: viewstest.Then, Now: viewstest.Now, PrevCheck: viewstest.March(4, 11, 58)},
		Rows: []ShardRow{
			at(Certainty{Class: Confirmed, SeenBefore: viewstest.March(4, 11, 58), SeenAfter: viewstest.March(4, 12, 58)}, viewstest.March(3, 8, 0), "ada", "2", "4500"),
			at(Certainty{Class: LastKnown, SeenBefore: viewstest.March(4, 11, 58), Ended: viewstest.March(4, 12, 58), Reason: "displaced"}, viewstest.March(1, 8, 0), "edsger", "3", "1500"),
			at(Certainty{Class: StillOpen, SeenBefore: viewstest.March(1, 11, 58)}, viewstest.March(1, 8, 0), "grace", "1", ""),
			at(Certainty{Class: Removed, SeenBefore: viewstest.March(1, 11, 58), Ended: viewstest.March(2, 9, 0), Reason: "removed"}, viewstest.March(1, 8, 0), "linus", "", ""),
		},
		Exports: Exports{CSV: "/a.csv", JSON: "/a.json"},
	}
}

// endedShard is a whole key whose row had ended.
func endedShard() Shard {
	s := sampleShard()
	row := s.Rows[3]
	row.Again = viewstest.March(9, 8, 0)
	s.Filter[1].Value, s.Rows, s.Whole, s.Without = "linus", nil, true, &row
	return s
}

func sampleRanking() Ranking {
	l := Ranking{
		Frame: viewstest.Frame("Sample College", "/ladders/sample", "ada"), Now: viewstest.Now, At: viewstest.Then, Title: "Sample College", Rankings: "/ladders", Seen: viewstest.March(4, 11, 58), Next: viewstest.March(4, 12, 58),
		Stored: 42, Size: 42, Since: viewstest.March(3, 11, 58), Compare: "/ladders/sample/diff",
		Steps: Steps{Base: "/ladders/sample", At: viewstest.Then, Now: viewstest.Now, PrevCheck: viewstest.March(4, 11, 58), NextCheck: viewstest.March(4, 12, 58), PrevChange: viewstest.March(4, 8, 58)},
		Left:  []RankingRow{{Rank: new(int64(41)), Player: "linus", History: "/ladders/sample/linus", Score: "20"}}, Exports: Exports{CSV: "/a.csv", JSON: "/a.json", TimeMap: "/t"},
	}
	for i, name := range []string{"grace", "ada", "edsger", "barbara"} {
		l.Rows = append(l.Rows, RankingRow{Rank: new(int64(i + 1)), Player: name, History: "/ladders/sample/" + name, Score: parts.Number(5000 - i*i*500), Was: []*int64{new(int64(2)), new(int64(1)), new(int64(3)), nil}[i], New: i == 3, Own: name == "ada"})
	}
	return l
}

func sampleRankHistory() RankHistory {
	c := RankHistory{Frame: viewstest.Frame("ada in Sample College", "/ladders/sample/ada", "ada"), Now: viewstest.Now, Ranking: parts.Choice{Value: "/ladders/sample", Text: "Sample College"}, Player: "ada", Member: parts.Choice{Value: "/u/ada", Text: "Ada L. (sample)"},
		From: viewstest.March(1, 0, 0), Until: viewstest.March(30, 0, 0), Exports: Exports{CSV: "/a.csv", JSON: "/a.json"}}
	ranks := []int{30, 24, 25, 18, 12, 9, 10, 4, 2}
	for i, r := range ranks {
		s := RankPeriod{RankSpan: charts.RankSpan{From: viewstest.March(1+3*i, 8, 0), LastSeen: viewstest.March(3+3*i, 2, 0), Until: viewstest.March(4+3*i, 8, 0), Rank: r}, Score: parts.Number(4500 - 100*r), Checks: 17, Reason: "changed", Href: atPath("/ladders/sample", viewstest.March(1+3*i, 8, 0))}
		if i == 4 {
			s.Until, s.Reason = viewstest.March(3+3*i, 20, 0), "displaced"
		}
		if i == len(ranks)-1 {
			s.Until, s.Reason = time.Time{}, ""
		}
		c.Ranks = append(c.Ranks, s)
	}
	return c
}

func sampleDiff() Diff {
	return Diff{
		Frame: viewstest.Frame("What changed", "/u/ada/diff", "ada"), Now: viewstest.Now, Title: "Ada L. (sample)", About: parts.Choice{Value: "/u/ada", Text: "Ada L. (sample)"}, Path: "/u/ada/diff", From: viewstest.Then, To: viewstest.Now,
		Numbers: []DiffNumber{
			{"solved", "Solved", "1,100", "1,284", Confirmed, Known}, {"codeforces.rating", "Codeforces rating", "1874", "1801", Known, StillOpen},
			{"atcoder.rating", "AtCoder rating", "", "1200", NeverSeen, Known}, {"uva.rank", "UVa rank", "4000", "", LastKnown, Displaced},
			{"country", "Country", "Latvia", "Estonia", Known, Known}, {"name", "Name", "Ada", "Ada", Known, Known},
		},
		Exports: Exports{CSV: "/a.csv", JSON: "/a.json"},
	}
}

func sampleRankingDiff() Diff {
	d := sampleDiff()
	d.Title, d.About, d.Path, d.Numbers = "Sample College", parts.Choice{Value: "/ladders/sample", Text: "Sample College"}, "/ladders/diff?ladder=Sample+College", nil
	d.Ranking = &RankingDiff{Before: viewstest.March(4, 11, 58), After: viewstest.Now.Add(-time.Hour), Entered: sampleRanking().Rows[3:], Left: sampleRanking().Left,
		Moved:   []RankingMove{{"grace", "/c", new(int64(2)), new(int64(1)), "4,100", "5,000"}, {"ada", "/c", new(int64(1)), new(int64(2)), "4,500", "4,500"}},
		Changed: []RankingMove{{"edsger", "/c", new(int64(3)), new(int64(3)), "1,400", "1,500"}}, Same: 38}
	return d
}

func sampleChecks() Checks {
	l := Checks{Frame: viewstest.Frame("Checks of ada", "/u/ada/looks", "ada"), Now: viewstest.Now, Title: "Checks", About: parts.Choice{Value: "/u/ada", Text: "Ada L. (sample)"}, Path: "/u/ada/looks", Day: "2026-03-04",
		Older: "/u/ada/looks?before=x", Exports: Exports{CSV: "/a.csv", JSON: "/a.json"}}
	outcomes := []string{"ok", "ok", "unreachable", "refused", "not_found", "rate_limited", "parse_error", "strange"}
	for i := range 16 {
		o := outcomes[i%len(outcomes)]
		k := Check{At: viewstest.Then.Add(-time.Duration(i*i) * 411 * time.Second), Source: "codeforces", Address: fmt.Sprintf("https://codeforces.com/api/user.status?handle=ada_l&from=%d&count=1000", 1+i*1000), Outcome: o, Same: i%3 == 0, Viewer: []string{"", "ada"}[i%2]}
		if o == "ok" {
			k.Href = atPath("/u/ada", k.At)
		} else {
			k.Message = "the site said: " + o
		}
		l.Rows = append(l.Rows, k)
	}
	return l
}
