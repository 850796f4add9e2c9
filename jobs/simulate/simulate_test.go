package simulate_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/jobs/sites"
)

const assumptions = `Assumed: accounts of a member are independent of each other; whoever is not dormant lives a stretch of one of 11 real traces, with its weekdays and hours (moved by
the zone of one of five places); who is dormant submitted last 90 to 1,090 days ago; on Codeforces somebody is seen on the site once without submitting for each day with submissions, and for up to two hours after each submission; what is submitted on every third day is of a contest, whose verdicts may change for a day;
LeetCode takes a hundred accounts in a question;
others submit 40,000 rows a day on AtCoder and 1,500 on Timus; AtCoder's mirror is never late; nothing fails. The community has been here for 400 days, history is known, and 15 days have settled, when counting begins.
The share of dormant accounts and how dense the traces are carry most: a retrieval with news cannot be saved, only one without.`

// seeds are the sites of the community that the project comes from.
var seeds = []string{"codechef", "codeforces", "hackerearth", "hackerrank", "spoj", "uva"}

// People draws what members do on a site.
func people(site string, members, days int, dormantShare float64, traces [][]int64) []life {
	r := rand.New(rand.NewPCG(uint64(len(site)), uint64(site[0])+uint64(site[len(site)-1])<<8))
	zones := []time.Duration{-8 * time.Hour, -5 * time.Hour, 0, 5*time.Hour + 30*time.Minute, 9 * time.Hour}
	lives := make([]life, members)
	for i := range lives {
		if r.Float64() < dormantShare {
			lives[i] = dormant(r)
		} else {
			lives[i] = active(r, traces, days, zones[r.IntN(len(zones))])
		}
	}
	return lives
}

// TestSimulate prints what a community of 6,380 costs and how late it is seen, by
// site and policy. In every run of the tests it does so for a few, of two sites, and
// judges that nothing is lost.
func TestSimulate(t *testing.T) {
	traces := readTraces(t)
	members, days, shares, compared := 10, 3, []float64{0.7}, policies[1:]
	var all []sites.Site
	if os.Getenv("LAUREL_SIMULATE") != "" {
		all, compared = sites.All(), policies
		if only, ok := sites.ByName(os.Getenv("LAUREL_SIMULATE_SITE")); ok {
			all = []sites.Site{only}
		}
		if only := number("LAUREL_SIMULATE_POLICY", 0); only > 0 {
			compared = policies[only-1 : only]
		}
		members, days, shares = number("LAUREL_SIMULATE_MEMBERS", 6380), 90, []float64{0.5, 0.7, 0.9}
		if only := number("LAUREL_SIMULATE_DORMANT", 0); only > 0 {
			shares = []float64{float64(only) / 100}
		}
	} else {
		for _, name := range []string{"codeforces", "spoj"} {
			s, _ := sites.ByName(name)
			all = append(all, s)
		}
	}
	for _, share := range shares {
		fmt.Printf("\n%d members on %d sites, %d days, %.0f %% of accounts dormant: requests a day for lists, bulk checks and streams (and beside them, for ratings and profiles); lag in hours\n", members, len(all), days, 100*share)
		lives := make([][]life, len(all))
		for i, s := range all {
			lives[i] = people(s.Info().Name, members, days, share, traces)
		}
		for _, p := range compared {
			results := make([]result, len(all))
			took := time.Now()
			together(len(all), func(i int) {
				results[i] = simulate(t, all[i], lives[i], p, days)
				fmt.Printf("  %s is through after %s\n", all[i].Info().Name, time.Since(took).Round(time.Second))
			})
			report(p, all, results, members, time.Since(took))
			for i := range results {
				if results[i].lost > 0 {
					t.Errorf("%s, %s: %d submissions are not there", p.name, all[i].Info().Name, results[i].lost)
				}
			}
		}
	}
	fmt.Println(assumptions)
	fmt.Println("The community that the project comes from took 38,280 requests and about 8 hours a day for its six sites.")
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

var listing = []string{"list", "bulk", "stream"}

// report prints a table.
func report(p policy, all []sites.Site, results []result, members int, took time.Duration) {
	fmt.Printf("%s (simulated in %s)\n", p.name, took.Round(time.Second))
	fmt.Printf("  %-12s %10s %8s %10s %8s %8s %8s %8s %8s  %s\n", "site", "requests", "beside", "/member", "mean", "p95", "max", "minutes", "round, s", "of which")
	var sum, six, worst float64
	var round time.Duration
	for i := range results {
		r, info := &results[i], all[i].Info()
		n := r.perDay(listing...)
		minutes := (n + r.perDay("ratings", "profile")) * info.Gap.Minutes()
		sum, worst = sum+n, max(worst, minutes)
		if slices.Contains(seeds, info.Name) {
			six += n
		}
		var parts []string
		for _, k := range listing {
			if r.requests[k] > 0 {
				parts = append(parts, fmt.Sprintf("%s %.0f", k, r.requests[k]))
			}
		}
		round = max(round, r.round)
		fmt.Printf("  %-12s %10.0f %8.0f %10.3f %8.1f %8.1f %8.1f %8.1f %8.0f  %s\n", info.Name, n, r.perDay("ratings", "profile"), n/float64(members), mean(r.lags), at(r.lags, 0.95), at(r.lags, 1), minutes, r.round.Seconds(), strings.Join(parts, ", "))
	}
	fmt.Printf("  all %.0f; the seed's six %.0f, %.3f of %d; the busiest site is asked for %.0f minutes a day, and in bulk for %.1f minutes at most at a time\n", sum, six, six/float64(6*members), 6*members, worst, round.Minutes())
}

func mean(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(1, len(v)))
}

// at returns a quantile of sorted values.
func at(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return v[min(len(v)-1, int(q*float64(len(v))))]
}
