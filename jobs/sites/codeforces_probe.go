package sites

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
)

const (
	// The API takes 10,000 handles, but servers between here and there cut
	// addresses that are longer.
	cfHandlesLength = 1900
	// A clock of theirs may be behind one of ours, and a page be cached.
	cfProbeMargin = 10 * time.Minute
)

// cfUnknown is the API's word for the one handle of several that it does not know.
var cfUnknown = regexp.MustCompile(`(?i)^handles?: User with handle (.*) not found$`)

// Probe asks when people were last on the site: who was not there since has
// submitted nothing. Others may have, as a team, and the team's submissions are
// theirs, too: so nobody is believed to be quiet for ever (see models.FinishProbe).
func (codeforces) Probe(ctx context.Context, get Getter, accounts []Probed) ([]Finding, error) {
	found := make([]Finding, len(accounts))
	for from := 0; from < len(accounts); {
		to := from + cfFit(len(accounts)-from, func(i int) string { return accounts[from+i].Handle })
		if err := cfProbe(ctx, get, accounts[from:to], found[from:to]); err != nil {
			return found, fmt.Errorf("user.info: %w", err)
		}
		from = to
	}
	return found, nil
}

// cfProbe asks one question.
func cfProbe(ctx context.Context, get Getter, accounts []Probed, found []Finding) error {
	at := map[string][]int{} // Two members may follow one handle.
	var handles []string
	for i, a := range accounts {
		if checkHandle(cfInfo, a.Handle) != nil {
			continue
		}
		key := strings.ToLower(a.Handle)
		if at[key] == nil {
			handles = append(handles, a.Handle)
		}
		at[key] = append(at[key], i)
	}
	page, left, err := cfAbout(ctx, get, handles,
		func(joined string) string {
			return "https://codeforces.com/api/user.info?handles=" + joined + "&checkHistoricHandles=false"
		},
		func(unknown string) {
			for _, i := range at[strings.ToLower(unknown)] {
				found[i] = News
			}
		})
	if err != nil || !left {
		return err
	}
	users, err := cfResult[cfUser](page)
	if err != nil {
		return err
	}
	for _, u := range users {
		for _, i := range at[strings.ToLower(u.Handle)] {
			found[i] = u.found(accounts[i])
		}
	}
	return nil
}

// cfFit is how many of n handles fit into one address.
func cfFit(n int, handle func(int) string) int {
	fit, length := 0, 0
	for fit < n && (fit == 0 || length+len(handle(fit)) < cfHandlesLength) {
		length += len(handle(fit)) + len("%3B")
		fit++
	}
	return fit
}

// cfAbout asks one question about several handles. One that is not known spoils the
// answer for all, so it is left out, and the others are asked for again. False:
// nobody was left to ask about.
func cfAbout(ctx context.Context, get Getter, handles []string, address func(joined string) string, unknown func(handle string)) (Page, bool, error) {
	for len(handles) > 0 {
		page, err := get.Get(ctx, address(url.QueryEscape(strings.Join(handles, ";"))))
		if err != nil {
			return page, false, err
		}
		handle, spoilt := cfUnknownIn(page)
		left := withoutHandle(handles, handle)
		if !spoilt || len(left) == len(handles) {
			return page, true, nil
		}
		unknown(handle)
		handles = left
	}
	return Page{}, false, nil
}

// found is what an answer about somebody says, who may have hidden when it was.
func (u cfUser) found(a Probed) Finding {
	if a.Tell != nil {
		a.Tell(u.profile())
	}
	switch {
	case u.LastOnlineTimeSeconds <= 0:
		return Unsaid
	case time.Unix(u.LastOnlineTimeSeconds, 0).Before(a.Since.Add(-cfProbeMargin)):
		return Quiet
	}
	return News
}

// cfUnknownIn returns the handle that an answer says it does not know.
func cfUnknownIn(p Page) (string, bool) {
	var answer struct{ Status, Comment string }
	if decode(p.Body, &answer) != nil || answer.Status != "FAILED" {
		return "", false
	}
	m := cfUnknown.FindStringSubmatch(clean(answer.Comment))
	if m == nil {
		return "", false
	}
	return m[1], true
}

func withoutHandle(handles []string, handle string) []string {
	var left []string
	for _, h := range handles {
		if !strings.EqualFold(h, handle) {
			left = append(left, h)
		}
	}
	return left
}
