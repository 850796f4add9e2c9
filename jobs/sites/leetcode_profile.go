package sites

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

const leetcodeAbout = `query about($username: String!) {
  matchedUser(username: $username) { username profile { realName countryName company school }
    submitStats { totalSubmissionNum { difficulty count submissions } acSubmissionNum { difficulty count submissions } } }
  userContestRanking(username: $username) { rating globalRanking }
}`

// Profile reads the counts, what somebody says of himself or herself, and the
// rating of contests, which who never took part in one does not have.
func (leetcode) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	if err := checkHandle(leetcodeInfo, a.Handle); err != nil {
		return Profile{}, err
	}
	data, err := leetcodeAsk(ctx, get, leetcodePage("matchedUser", a.Handle), leetcodeAbout, a.Handle)
	if err != nil {
		return Profile{}, fmt.Errorf("matchedUser: %w", err)
	}
	var answer struct {
		leetcodeUser
		UserContestRanking *struct {
			Rating        float64
			GlobalRanking int
		}
	}
	var user struct {
		leetcodeCounts
		Profile *struct{ RealName, CountryName, Company, School *string }
	}
	if err := decode(data, &answer); err != nil {
		return Profile{}, fmt.Errorf("matchedUser: %w", err)
	}
	if err := answer.into(&user); err != nil {
		return Profile{}, fmt.Errorf("matchedUser: %w", err)
	}
	solved, submitted, err := user.counted()
	if err != nil {
		return Profile{}, fmt.Errorf("matchedUser: %w", err)
	}
	p := Profile{Counts: &CountsView{&solved, &submitted}, Rating: &RatingView{}, Rank: &RankView{}}
	if about := user.Profile; about != nil {
		p.Name = &NameView{shownOf(about.RealName)}
		p.Place = &PlaceView{shownOf(about.CountryName), cmp.Or(shownOf(about.Company), shownOf(about.School))}
	}
	if r := answer.UserContestRanking; r != nil && math.Abs(r.Rating) < most {
		rating := int(math.Round(r.Rating))
		p.Rating.Rating = &rating
		if r.GlobalRanking > 0 {
			p.Rank.Rank = &r.GlobalRanking
		}
	}
	return p, nil
}
