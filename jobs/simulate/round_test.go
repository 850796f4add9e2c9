package simulate_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"laurel/jobs/sites"
)

// A rounded site is a probed one with four rounds on every third day, of which each lasts a
// quarter of it.
type rounded struct{ probed }

const (
	roundEvery = 3 * 86400
	roundLasts = 86400 / 4
	roundRows  = 10_000 // Of a page.
	roundPages = 3      // With what strangers submit.
)

// cfStrangers is what others submit on Codeforces, rows a second: 111,000 a day, most of it at noon; and of the
// 120,000 rows that they submit in rounds all in two hours and a half, for that is how long real rounds last.
func cfStrangers(at int64) float64 {
	of := (at%roundEvery + roundEvery) % roundEvery
	rows := 111_000.0 / 86400 * (1 - 0.4*math.Cos(2*math.Pi*float64(of%86400)/86400))
	if of > 14*3600 && of < 33*1800 {
		rows += 120_000 / 9000.0
	}
	return rows
}

// inRound says whether something was submitted during a round.
func inRound(at int64) bool { return (at%roundEvery+roundEvery)%roundEvery < 86400 }

// roundBegins is when the nth round begins.
func roundBegins(n int64) int64 { return n/4*roundEvery + n%4*roundLasts }

// least is how many requests a day somebody makes on some days who looks whenever anybody was
// seen on the site, so late that nothing is older than six hours, and never else; and the same
// where only what is submitted is seen.
func least(lives []life, days int) (seen, submitted float64) {
	looks := func(at []int64) (n float64) {
		for i, last := until(at, -1), int64(-1<<40); i < until(at, int64(days)*86400); i++ {
			if at[i]-last > 6*3600 {
				n, last = n+1, at[i]
			}
		}
		return n / float64(days)
	}
	for _, l := range lives {
		both := slices.Concat(l.at, l.visits)
		slices.Sort(both)
		seen, submitted = seen+looks(both), submitted+looks(l.at)
	}
	return seen, submitted
}

// Rounds are those of the last two weeks and the next; none is before the first.
func (r rounded) Rounds(ctx context.Context, get sites.Getter) (rounds []sites.Round, err error) {
	days := r.now.Load()/roundEvery - 5
	for n := 4 * max(0, days); n < 4*(days+8); n++ {
		begins := begin.Add(time.Duration(roundBegins(n)) * time.Second)
		ends := begins.Add((roundLasts - 1) * time.Second)
		over := ends.Before(r.time())
		rounds = append(rounds, sites.Round{Contest: strconv.FormatInt(n, 10), Begins: begins, Ends: ends, Over: over, Settled: over})
	}
	return rounds, r.ask(ctx, get, "round")
}

// made are the places of what somebody submitted in a round.
func (r rounded) made(handle, contest string) (from, to int) {
	n, _ := strconv.ParseInt(contest, 10, 64)
	at := r.life(handle).at
	return until(at, roundBegins(n)-1), until(at, roundBegins(n)+roundLasts-1)
}

func (r rounded) TookPart(ctx context.Context, get sites.Getter, contest string, handles []string) (took []string, err error) {
	for _, h := range handles {
		if from, to := r.made(h, contest); to > from {
			took = append(took, h)
		}
	}
	return took, r.ask(ctx, get, "round")
}

// RoundPage has the members' rows on the first page.
func (r rounded) RoundPage(ctx context.Context, get sites.Getter, contest string, from int) (p sites.RoundPage, err error) {
	if p.Shown = roundRows; from > (roundPages-1)*roundRows {
		p.Shown = 1
	}
	for n := 0; from == 1 && n < len(r.lives); n++ {
		h := fmt.Sprintf("m%d", n)
		for i, to := r.made(h, contest); i < to; i++ {
			p.Rows = append(p.Rows, sites.Fed{Handle: h, Submission: r.submission(h, i)})
		}
	}
	return p, r.ask(ctx, get, "round")
}

func (r rounded) RoundAddress(contest string) string { return r.info.Home + "/contest/" + contest }
