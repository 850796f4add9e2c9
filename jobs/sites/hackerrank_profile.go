package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
)

// hackerrankAbout is the address of what a hacker says of himself or herself.
func hackerrankAbout(handle string) string {
	return hackerrankHome + "/rest/contests/master/hackers/" + url.PathEscape(handle) + "/profile"
}

// A hackerrankModel is a profile.
type hackerrankModel struct {
	Username              string
	Name, Country, School *string
}

// Profile reads the name and the place of a profile, and how much was submitted,
// which is the sum of the days of submission_histories: of all attempts, that is,
// while the list has those that solved a challenge.
func (hackerrank) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	if err := checkHandle(hackerrankInfo, a.Handle); err != nil {
		return Profile{}, err
	}
	page, err := get.Get(ctx, hackerrankOf(a.Handle)+"/submission_histories")
	if err != nil {
		return Profile{}, err
	}
	if page.Status == statusNotFound {
		return Profile{}, hackerrankMissing(ctx, get, a.Handle)
	}
	submitted, err := hackerrankSum(page)
	if err != nil {
		return Profile{}, fmt.Errorf("submission_histories: %w", err)
	}
	if page, err = get.Get(ctx, hackerrankAbout(a.Handle)); err != nil {
		return Profile{}, err
	}
	if page.Status == statusNotFound {
		return Profile{}, fmt.Errorf("%w: HackerRank has no profile of this name", ErrNoHandle)
	}
	var answer struct{ Model *hackerrankModel }
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return Profile{}, fmt.Errorf("profile: %w", err)
	}
	m := answer.Model
	if m == nil || m.Username == "" {
		return Profile{}, fmt.Errorf("profile: %w: nobody is named in it", ErrFormat)
	}
	p := Profile{Counts: &CountsView{Submitted: &submitted}}
	if m.Name != nil {
		p.Name = &NameView{shown(*m.Name)}
	}
	if m.Country != nil || m.School != nil {
		p.Place = &PlaceView{shownOf(m.Country), shownOf(m.School)}
	}
	return p, nil
}

// shownOf is shown for a field that may not be there.
func shownOf(text *string) *string {
	if text == nil {
		return nil
	}
	return shown(*text)
}

// hackerrankSum adds up how many attempts there were on each day. The days are
// dates, or seconds since 1970 on older pages; the numbers may be texts.
func hackerrankSum(page Page) (int, error) {
	var days map[string]json.Number
	if err := cmp.Or(found(page), decode(page.Body, &days)); err != nil {
		return 0, err
	}
	if days == nil {
		return 0, fmt.Errorf("%w: null instead of days", ErrFormat)
	}
	sum := int64(0)
	for day, count := range days {
		n, err := count.Int64()
		if err != nil || n < 0 || n > 1e6 {
			return 0, fmt.Errorf("%w: %q attempts on %q", ErrFormat, count, day)
		}
		sum += n
	}
	if sum > 1e9 {
		return 0, fmt.Errorf("%w: %d attempts", ErrFormat, sum)
	}
	return int(sum), nil
}
