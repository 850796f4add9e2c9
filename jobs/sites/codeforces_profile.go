package sites

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A cfUser is a person as the API gives it. What somebody has left empty, and the
// rating and rank of somebody who has none, is not in the answer at all.
type cfUser struct {
	Handle              string
	Rating, MaxRating   *int
	Rank                string
	FirstName, LastName string
	Country             string
	Organization        string
	// LastOnlineTimeSeconds is when somebody was last on the site.
	LastOnlineTimeSeconds int64
}

// Profile asks for the handle as it is today. Else the site would answer about
// whoever bears a new name now, and that would be kept under the old one.
func (codeforces) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	if err := checkHandle(cfInfo, a.Handle); err != nil {
		return Profile{}, err
	}
	page, err := get.Get(ctx, "https://codeforces.com/api/user.info?handles="+url.QueryEscape(a.Handle)+"&checkHistoricHandles=false")
	if err != nil {
		return Profile{}, err
	}
	users, err := cfResult[cfUser](page)
	if err != nil {
		return Profile{}, fmt.Errorf("user.info: %w", err)
	}
	if len(users) != 1 || !strings.EqualFold(users[0].Handle, a.Handle) { // The site does not see capitals.
		return Profile{}, fmt.Errorf("user.info: %w: not an answer about %s alone", ErrFormat, a.Handle)
	}
	return users[0].profile(), nil
}

// profile has no rank, which the site gives as a word, and no counts.
func (u cfUser) profile() Profile {
	return Profile{
		Rating: &RatingView{u.Rating, u.MaxRating},
		Name:   &NameView{shown(clean(u.FirstName) + " " + clean(u.LastName))},
		Place:  &PlaceView{shown(u.Country), shown(u.Organization)},
		Title:  &TitleView{shown(u.Rank)},
	}
}

// Renamed finds out where a handle that the site does not know any more leads to.
// The API follows former handles unless asked not to; where it knows
// none, the page of a former handle leads to that of the new one.
func (codeforces) Renamed(ctx context.Context, get Follower, handle string) (string, error) {
	if err := checkHandle(cfInfo, handle); err != nil {
		return "", err
	}
	page, err := get.Get(ctx, "https://codeforces.com/api/user.info?handles="+url.QueryEscape(handle)+"&checkHistoricHandles=true")
	if err != nil {
		return "", err
	}
	users, err := cfResult[cfUser](page)
	switch {
	case err == nil && len(users) == 1:
		return cfRenamed(handle, users[0].Handle)
	case err == nil:
		return "", fmt.Errorf("user.info: %w: not an answer about %s alone", ErrFormat, handle)
	case !errors.Is(err, ErrNoHandle):
		return "", fmt.Errorf("user.info: %w", err)
	}
	if page, err = get.Get(ctx, cfInfo.Profile(handle)); err != nil || page.Status != statusOK {
		return "", err // 404: a page of nobody.
	}
	at, err := url.Parse(get.Landed())
	if err != nil {
		return "", nil // Nothing that proves anything.
	}
	landed, ok := strings.CutPrefix(strings.TrimSuffix(at.Path, "/"), "/profile/")
	if !ok { // It leads people whom nobody knows to its front page.
		return "", nil
	}
	return cfRenamed(handle, landed)
}

// cfRenamed is the new handle, "" where it is the old one.
func cfRenamed(old, handle string) (string, error) {
	if handle = clean(handle); strings.EqualFold(old, handle) {
		return "", nil
	}
	if err := checkHandle(cfInfo, handle); err != nil {
		return "", fmt.Errorf("%w: renamed to %q", ErrFormat, handle)
	}
	return handle, nil
}

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
