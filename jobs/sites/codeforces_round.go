package sites

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	cfContestStatus = "https://codeforces.com/api/contest.status?contestId="
	cfRoundRows     = 10_000 // A page of a contest; that is some ten megabytes.
)

// A cfContest is a contest as the API gives it. When one begins may be open.
type cfContest struct {
	ID               int64
	Name, Phase      string
	StartTimeSeconds int64
	DurationSeconds  int64
}

// Rounds are those of contest.list, without the gym.
func (codeforces) Rounds(ctx context.Context, get Getter) ([]Round, error) {
	page, err := get.Get(ctx, "https://codeforces.com/api/contest.list?gym=false")
	if err != nil {
		return nil, err
	}
	contests, err := cfResult[cfContest](page)
	if err != nil {
		return nil, fmt.Errorf("contest.list: %w", err)
	}
	if len(contests) == 0 {
		return nil, fmt.Errorf("contest.list: %w: no contest at all", ErrFormat)
	}
	var rounds []Round
	for _, c := range contests {
		if c.StartTimeSeconds == 0 {
			continue
		}
		ends, err := epoch(c.StartTimeSeconds + c.DurationSeconds)
		if err != nil || c.ID <= 0 || c.DurationSeconds <= 0 || clean(c.Phase) == "" {
			return nil, fmt.Errorf("contest.list: %w: contest %d, %q, begins %d and lasts %d", ErrFormat, c.ID, c.Phase, c.StartTimeSeconds, c.DurationSeconds)
		}
		begins := ends.Add(-time.Duration(c.DurationSeconds) * time.Second)
		over := clean(c.Phase) != "BEFORE" && clean(c.Phase) != "CODING"
		rounds = append(rounds, Round{Contest: strconv.FormatInt(c.ID, 10), Name: clean(c.Name), Begins: begins, Ends: ends, Over: over, Settled: clean(c.Phase) == "FINISHED"})
	}
	return rounds, nil
}

// A cfParty is who submitted: somebody, or a team.
type cfParty struct {
	Members         []struct{ Handle string }
	ParticipantType string
}

// TookPart asks contest.standings, also for those who were out of competition. Who
// took part virtually or practised is in it, too, and is not counted.
func (codeforces) TookPart(ctx context.Context, get Getter, contest string, handles []string) (took []string, err error) {
	asked := map[string]string{}
	var fit []string
	for _, h := range handles {
		if key := strings.ToLower(h); checkHandle(cfInfo, h) == nil && asked[key] == "" {
			asked[key], fit = h, append(fit, h)
		}
	}
	standings := func(ctx context.Context, joined string) (Page, error) {
		return get.Get(ctx, "https://codeforces.com/api/contest.standings?contestId="+url.QueryEscape(contest)+"&showUnofficial=true&handles="+url.QueryEscape(joined))
	}
	for from := 0; from < len(fit); {
		to := from + cfFit(len(fit)-from, func(i int) string { return fit[from+i] })
		page, left, err := cfAbout(ctx, standings, fit[from:to], func(string) {})
		if err != nil {
			return nil, err
		}
		from = to
		if !left {
			continue
		}
		there, err := cfStandings(page, contest)
		if err != nil {
			return nil, fmt.Errorf("contest.standings of %s: %w", contest, err)
		}
		for _, handle := range there {
			if key := strings.ToLower(handle); asked[key] != "" {
				took = append(took, asked[key])
				delete(asked, key)
			}
		}
	}
	return took, nil
}

// cfStandings returns who took part, of an answer.
func cfStandings(page Page, contest string) (handles []string, err error) {
	result, err := cfAnswer(page)
	if err != nil {
		return nil, err
	}
	var standings struct {
		Contest cfContest
		Rows    *[]struct{ Party cfParty }
	}
	if err := decode(result, &standings); err != nil {
		return nil, err
	}
	if standings.Rows == nil || strconv.FormatInt(standings.Contest.ID, 10) != contest {
		return nil, fmt.Errorf("%w: not the standings of this contest", ErrFormat)
	}
	for _, r := range *standings.Rows {
		if kind := r.Party.ParticipantType; kind != "CONTESTANT" && kind != "OUT_OF_COMPETITION" {
			continue
		}
		for _, m := range r.Party.Members {
			handles = append(handles, clean(m.Handle))
		}
	}
	return handles, nil
}

func (codeforces) RoundAddress(contest string) string {
	return cfContestStatus + url.QueryEscape(contest)
}

// RoundPage reads contest.status, which has all that was submitted in a contest, in
// practice and virtually as well. A party of which nobody is shown is a ghost.
func (c codeforces) RoundPage(ctx context.Context, get Getter, contest string, from int) (RoundPage, error) {
	page, err := get.Get(ctx, fmt.Sprintf("%s&from=%d&count=%d", c.RoundAddress(contest), from, cfRoundRows))
	if err != nil {
		return RoundPage{}, err
	}
	rows, err := cfResult[cfRow](page)
	if err != nil {
		return RoundPage{}, fmt.Errorf("contest.status of %s: %w", contest, err)
	}
	p := RoundPage{Shown: len(rows)}
	for _, r := range rows {
		fed, err := r.fed()
		if err != nil {
			return RoundPage{}, fmt.Errorf("contest.status of %s: %w", contest, err)
		}
		p.Rows = append(p.Rows, fed...)
	}
	if len(p.Rows) == 0 && len(rows) > 0 {
		return RoundPage{}, fmt.Errorf("contest.status of %s: %w: rows of nobody", contest, ErrFormat)
	}
	return p, nil
}
