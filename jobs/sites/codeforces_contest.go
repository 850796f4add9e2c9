package sites

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// A cfContest is a contest as the API gives it. When one begins may be open.
type cfContest struct {
	ID               int64
	Name, Phase      string
	StartTimeSeconds int64
	DurationSeconds  int64
}

// Contests are those of contest.list, without the gym.
func (codeforces) Contests(ctx context.Context, get Getter) ([]Contest, error) {
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
	var list []Contest
	for _, c := range contests {
		if c.StartTimeSeconds == 0 {
			continue
		}
		ends, err := epoch(c.StartTimeSeconds + c.DurationSeconds)
		if err != nil || c.ID <= 0 || c.DurationSeconds <= 0 || clean(c.Phase) == "" {
			return nil, fmt.Errorf("contest.list: %w: contest %d, %q, begins %d and lasts %d", ErrFormat, c.ID, c.Phase, c.StartTimeSeconds,
				c.DurationSeconds)
		}
		begins := ends.Add(-time.Duration(c.DurationSeconds) * time.Second)
		over := clean(c.Phase) != "BEFORE" && clean(c.Phase) != "CODING"
		list = append(list, Contest{Key: strconv.FormatInt(c.ID, 10), Name: clean(c.Name), Begins: begins, Ends: ends, Over: over})
	}
	return list, nil
}

// A cfParty is who submitted: somebody, or a team.
type cfParty struct {
	ParticipantType string
}
