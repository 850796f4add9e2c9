package archive

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/viewstest"
)

// Samples of the archive's pages: the same person, as she was on 4 March.

// failing makes the checks of a strip fail for a while.
func failing(s charts.Strip, from, until time.Time) charts.Strip {
	var ok []time.Time
	for _, t := range s.Checks {
		if t.After(from) && t.Before(until) {
			s.Failed = append(s.Failed, t)
		} else {
			ok = append(ok, t)
		}
	}
	s.Checks = ok
	return s
}

func sampleNumbers() []NumberGroup {
	feb := func(day int) time.Time { return time.Date(2026, 2, day, 9, 0, 0, 0, viewstest.Riga) }
	rating := seenStrip("Codeforces rating", 1, charts.StripSpan{From: feb(1), LastSeen: feb(14), Until: feb(16), Label: "1820"}, charts.StripSpan{From: feb(16), LastSeen: viewstest.March(12, 1, 0), Until: viewstest.March(13, 7, 0), Label: "1874"}, charts.StripSpan{From: viewstest.March(13, 7, 0), LastSeen: viewstest.March(30, 9, 0), Label: "1901"})
	rank := seenStrip("Codeforces rank in country", 2, charts.StripSpan{From: feb(1), LastSeen: feb(25), Until: feb(27), Label: "22"}, charts.StripSpan{From: feb(27), LastSeen: viewstest.March(30, 9, 0), Label: "18"})
	chef := seenStrip("CodeChef rating", 3, charts.StripSpan{From: feb(1), LastSeen: viewstest.March(4, 3, 0), Until: viewstest.March(5, 5, 0), Label: "1688"}, charts.StripSpan{From: viewstest.March(5, 5, 0), LastSeen: viewstest.March(30, 9, 0), Label: "1702"})
	atcoder := failing(seenStrip("AtCoder rating", 4, charts.StripSpan{From: viewstest.March(9, 8, 0), LastSeen: viewstest.March(30, 9, 0), Label: "1200"}), viewstest.March(1, 20, 0), viewstest.March(9, 8, 0))
	uva := seenStrip("UVa rank", 5, charts.StripSpan{From: feb(1), LastSeen: viewstest.March(2, 8, 0), Until: viewstest.March(4, 8, 0), Label: "4000"})
	return []NumberGroup{
		{Source: "Codeforces", Timeline: "/archive/account_rating/history?site=codeforces&handle=ada_l", Strip: rating,
			Numbers:   []Figure{{"codeforces.rating", "Codeforces rating", "1874", ""}, {"codeforces.best", "Codeforces best rating", "1921", ""}},
			Certainty: Certainty{Class: Known, SeenBefore: viewstest.Then, SeenAfter: viewstest.Then.Add(5 * time.Hour), Ended: viewstest.March(13, 7, 0), Reason: "changed"}},
		{Source: "Codeforces", Timeline: "/archive/account_rank/history?site=codeforces&handle=ada_l", Strip: rank,
			Numbers:   []Figure{{"codeforces.rank", "Codeforces rank in country", "18", ""}},
			Certainty: Certainty{Class: Confirmed, SeenBefore: viewstest.Then.Add(-3 * time.Minute), SeenAfter: viewstest.Then.Add(2 * time.Minute)}},
		{Source: "CodeChef", Timeline: "/archive/account_rating/history?site=codechef&handle=ada_l", Strip: chef,
			Numbers:   []Figure{{"codechef.rating", "CodeChef rating", "1688", "1702"}},
			Certainty: Certainty{Class: LastKnown, SeenBefore: viewstest.March(4, 3, 0), Ended: viewstest.March(5, 5, 0), Reason: "changed"}},
		{Source: "AtCoder", Timeline: "/archive/account_rating/history?site=atcoder&handle=adal", Strip: atcoder,
			Numbers:   []Figure{{"atcoder.rating", "AtCoder rating", "", ""}},
			Certainty: Certainty{Class: NeverSeen, FirstSeen: viewstest.March(9, 8, 0), FailingFrom: viewstest.March(2, 8, 0), FailingUntil: viewstest.March(9, 8, 0)}},
		{Source: "UVa", Timeline: "/archive/account_rank/history?site=uva&handle=ada", Strip: uva,
			Numbers:   []Figure{{"uva.rank", "UVa rank", "", ""}},
			Certainty: Certainty{Class: Displaced, SeenBefore: viewstest.March(2, 8, 0), Ended: viewstest.March(4, 8, 5), Reason: "displaced"}},
	}
}

func sampleCheckCalendar() CheckCalendar {
	c := CheckCalendar{Base: "/u/ada", First: time.Date(2025, 3, 5, 0, 0, 0, 0, time.UTC), At: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC), Earlier: "/u/ada?at=2025-03-04T22:00:00Z"}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 365 {
		d := CheckDay{}
		if i > 20 && i%90 > 3 {
			d.Checks = 2 + int(r.ExpFloat64()*4)
			d.Last = c.First.AddDate(0, 0, i).Add(time.Duration(r.IntN(86400))*time.Second + 123456*time.Microsecond)
		}
		if i%41 == 0 {
			d.Failed = min(d.Checks, 1+i%3)
		}
		if i > 300 && i < 307 {
			d.Failed = d.Checks
		}
		c.Days = append(c.Days, d)
	}
	return c
}

func sampleHistory() History {
	steps := Steps{Base: "/u/ada", At: viewstest.Then, Now: viewstest.Now, PrevChange: viewstest.March(3, 22, 14), PrevCheck: viewstest.March(4, 11, 57), NextCheck: viewstest.March(4, 12, 2), NextChange: viewstest.March(4, 18, 40)}
	return History{
		Frame: viewstest.Frame("Ada L. as of 4 March 2026", "/u/ada", "ada"), Now: viewstest.Now, At: viewstest.Then, Name: "ada", DisplayName: "Ada L. (sample)", Place: parts.Choice{Value: "/ladders/solved?at=2026-03-04T10:00:00Z", Text: "rank 2 in Problems solved"}, Steps: steps,
		Compare:    "/u/ada/diff?from=2026-03-04T10:00:00Z",
		FirstCheck: time.Date(2025, 3, 26, 9, 0, 0, 0, viewstest.Riga), LastCheck: viewstest.Now.Add(-2 * time.Minute), Numbers: sampleNumbers(), Then: templ.Raw("<section><h2>The facts of then</h2></section>"), Checks: sampleCheckCalendar(),
		Evidence: []Evidence{
			{Source: "Codeforces", Address: "https://codeforces.com/api/user.info?handles=ada_l", Checked: viewstest.Then, UnchangedSince: viewstest.March(3, 22, 14), Checks: 14, NextChange: viewstest.March(4, 18, 40), Href: "/archive/looks?address=x"},
			{Source: "AtCoder", Address: "https://atcoder.jp/users/adal", Checked: viewstest.March(1, 19, 0), UnchangedSince: viewstest.March(1, 19, 0), Checks: 1, Failed: 9, NextChange: viewstest.March(9, 8, 0), Href: "/archive/looks?address=y"},
			{Source: "UVa", Address: "https://uhunt.onlinejudge.org/api/ranklist/1/0/0", Checked: viewstest.March(4, 8, 5), UnchangedSince: viewstest.March(4, 8, 5), Checks: 1, Href: "/archive/looks?address=z"},
		},
		Exports: Exports{Checks: "/u/ada/looks", CSV: "/u/ada.csv?at=x", JSON: "/api/v1/members/ada/history?at=x", TimeMap: "/u/ada/timemap"},
	}
}

// fullHistory is of a member with three sites: 25 rows, checked every few hours.
func fullHistory() History {
	h := sampleHistory()
	base := h.Numbers
	h.Numbers = nil
	for i := range 25 {
		g := base[i%3] // One source for each.
		g.Numbers = []Figure{{"codeforces.some_number", "Number of this site", parts.Number(1000 + i), ""}, {"codeforces.another", "Another of this site", parts.Number(i), ""}}
		h.Numbers = append(h.Numbers, g)
	}
	for i := range h.Checks.Days {
		h.Checks.Days[i] = CheckDay{12, i % 20 / 19, h.Checks.First.AddDate(0, 0, i).Add(86399*time.Second + 123456*time.Microsecond)}
	}
	return h
}

// earlyHistory is of a day before anybody checked.
func earlyHistory() History {
	h := sampleHistory()
	h.At = time.Date(2025, 1, 1, 12, 0, 0, 0, viewstest.Riga)
	h.Steps = Steps{Base: "/u/ada", At: h.At, Now: viewstest.Now, NextCheck: h.FirstCheck, NextChange: h.FirstCheck}
	for i := range h.Numbers {
		g := &h.Numbers[i]
		g.Certainty = Certainty{FirstSeen: h.FirstCheck}
		g.Strip.Spans, g.Strip.Checks, g.Strip.Failed = nil, nil, nil
		for j := range g.Numbers {
			g.Numbers[j].Value, g.Numbers[j].Next = "", ""
		}
	}
	h.Then, h.Evidence, h.Checks.Days = nil, nil, nil
	return h
}

// unseenHistory is of a member whose sites nobody ever checked.
func unseenHistory() History {
	h := earlyHistory()
	h.At, h.FirstCheck, h.LastCheck, h.Numbers, h.Exports = viewstest.Then, time.Time{}, time.Time{}, nil, Exports{}
	h.Steps = Steps{Base: "/u/ada", At: viewstest.Then, Now: viewstest.Now}
	return h
}

// archivePages is every page of the archive in every state.
func archivePages() map[string]templ.Component {
	archive := Index{Frame: viewstest.Frame("Archive", "/archive", "ada"), Now: viewstest.Now, Declare: "/archive/declare", Checks: "/archive/looks", Rankings: "/ladders", Shards: []ShardLine{
		{Name: "account_rating", Title: "Rating of an account", Href: "/archive/account_rating", Key: []string{"site", "handle"}, Data: []string{"rating", "best"}, Rows: 1203, Newest: viewstest.Now.Add(-time.Minute)},
		{Name: "chess_rating", Title: "Rating on the chess server", Href: "/archive/chess_rating", Key: []string{"player"}, Data: []string{"rank", "rating"}, Declared: true},
	}}
	emptyShard := sampleShard()
	emptyShard.Rows, emptyShard.Empty, emptyShard.Filter[0].Value = nil, true, ""
	declaredShard := emptyShard
	declaredShard.Declared, declaredShard.Example = true, &PushExample{Rows: "[\n  {\"player\": \"ada\"}\n]", Command: "curl -d @rows.json 'http://laurel.test/api/v1/archive/ladder'", Tokens: "/settings#tokens"}
	wrongShard := sampleShard()
	wrongShard.Rows, wrongShard.Mistake = nil, "At is not an instant: write it as 2026-03-04T12:00:00Z."
	short := sampleRanking()
	short.Size, short.Since, short.Left, short.Next = 5000, time.Time{}, nil, time.Time{}
	noList := short
	noList.Seen, noList.First, noList.Rows, noList.Compare = time.Time{}, viewstest.March(9, 8, 0), nil, ""
	noHistory := sampleRankHistory()
	noHistory.Ranks, noHistory.Member = nil, parts.Choice{}
	equal := sampleDiff()
	equal.Numbers = equal.Numbers[5:]
	wrongDiff := sampleDiff()
	wrongDiff.Mistake = "From is after To: exchange them."
	noChecks := sampleChecks()
	noChecks.Rows, noChecks.Failed, noChecks.Older = nil, true, ""
	noTimeline := sampleTimeline()
	noTimeline.Strip.Spans, noTimeline.Strip.Checks, noTimeline.Strip.Failed, noTimeline.Periods, noTimeline.Older = nil, nil, nil, nil, ""
	declare := DeclareShard{Frame: viewstest.Frame("Declare a shard", "/archive/declare", "ada"), Archive: "/archive", Action: "/archive"}
	wrong := declare
	wrong.Form = parts.Form{Values: map[string]string{"declaration": `{"name": "Chess"}`}, Errors: map[string]string{"name": `"Chess" must be a lower-case letter, then at most 39 letters, digits and _`, "declaration": "a key is missing"}}
	evolve := EvolveShard{Frame: viewstest.Frame("Change Chess", "/archive/chess/declaration", "ada"), Shard: "/archive/chess", Title: "Chess",
		Declaration: ShardExample, Now: viewstest.Now}
	evolveWrong := evolve
	evolveWrong.Retired = viewstest.March(4, 12, 0)
	evolveWrong.Form = parts.Form{Values: map[string]string{"declaration": ShardExample}, Errors: map[string]string{"rank": "its type is integer and cannot become text in place"}}
	versions := declaredShard
	versions.Retired, versions.Change = viewstest.March(4, 12, 0), "/archive/chess/declaration"
	versions.Versions = []ShardVersion{{3, viewstest.March(4, 12, 0), "ada", "retired", "the server was closed"}, {2, viewstest.March(3, 8, 0), "", "field place added", ""}, {1, viewstest.March(1, 8, 0), "ada", "declared", ""}}
	return map[string]templ.Component{
		"shard-versions":   ShardPage(versions),
		"evolve":           EvolveShardPage(evolve),
		"evolve-wrong":     EvolveShardPage(evolveWrong),
		"history":          HistoryPage(sampleHistory()),
		"history-full":     HistoryPage(fullHistory()),
		"history-evidence": func() templ.Component { p := fullHistory(); p.Evident = true; return HistoryPage(p) }(),
		"history-early":    HistoryPage(earlyHistory()),
		"history-unseen":   HistoryPage(unseenHistory()),
		"timeline":         TimelinePage(sampleTimeline()),
		"timeline-empty":   TimelinePage(noTimeline),
		"archive":          IndexPage(archive),
		"archive-empty":    IndexPage(Index{Frame: viewstest.Frame("Archive", "/archive", ""), Now: viewstest.Now, Checks: "/archive/looks", Rankings: "/ladders"}),
		"shard":            ShardPage(sampleShard()),
		"shard-ended":      ShardPage(endedShard()),
		"shard-declared":   ShardPage(declaredShard),
		"shard-empty":      ShardPage(emptyShard),
		"shard-wrong":      ShardPage(wrongShard),
		"declare":          DeclareShardPage(declare),
		"declare-wrong":    DeclareShardPage(wrong),
		"ladders":          RankingsPage(Rankings{Frame: viewstest.Frame("Rankings", "/ladders", "ada"), Now: viewstest.Now, Rankings: []RankingLine{{"Sample College", "/ladders/sample", 42, 42, viewstest.Now.Add(-time.Hour)}, {"World", "/ladders/world", 100, 5000, viewstest.Now.AddDate(0, 0, -3)}}}),
		"ladders-empty":    RankingsPage(Rankings{Frame: viewstest.Frame("Rankings", "/ladders", "ada"), Now: viewstest.Now}),
		"ladder":           RankingPage(sampleRanking()),
		"ladder-short":     RankingPage(short),
		"ladder-none":      RankingPage(noList),
		"climb":            RankHistoryPage(sampleRankHistory()),
		"climb-none":       RankHistoryPage(noHistory),
		"diff":             DiffPage(sampleDiff()),
		"diff-equal":       DiffPage(equal),
		"diff-wrong":       DiffPage(wrongDiff),
		"diff-ladder":      DiffPage(sampleRankingDiff()),
		"checks":           ChecksPage(sampleChecks()),
		"checks-none":      ChecksPage(noChecks),
	}
}

func TestArchivePages(t *testing.T) { viewstest.CheckPages(t, archivePages()) }

// seenStrip is two months with a check every few hours.
func seenStrip(title string, seed uint64, spans ...charts.StripSpan) charts.Strip {
	s := charts.Strip{Title: title, From: time.Date(2026, 2, 1, 0, 0, 0, 0, viewstest.Riga), Until: time.Date(2026, 3, 31, 0, 0, 0, 0, viewstest.Riga), At: viewstest.Then, Spans: spans}
	r := rand.New(rand.NewPCG(seed, 7))
	for at := s.From; at.Before(s.Until); at = at.Add(time.Duration(3+r.IntN(40)) * time.Hour) {
		s.Checks = append(s.Checks, at)
	}
	return s
}
