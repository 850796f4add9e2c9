package sites

import (
	"context"
	"fmt"
	"net/url"
	"strings"
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
