package sites

import (
	"context"
	"errors"
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
// whoever bears a new name now, and that would be stored under the old one.
func (codeforces) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	page, err := fetch(ctx, get, cfInfo, a, cfUserInfo+"?handles="+url.QueryEscape(a.Handle)+"&checkHistoricHandles=false")
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
	at, err := url.Parse(get.PageAddress())
	if err != nil {
		return "", nil // Nothing that proves anything.
	}
	led, ok := strings.CutPrefix(strings.TrimSuffix(at.Path, "/"), "/profile/")
	if !ok { // It leads people whom nobody knows to its front page.
		return "", nil
	}
	return cfRenamed(handle, led)
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
