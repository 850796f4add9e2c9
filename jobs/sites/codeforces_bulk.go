package sites

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"strings"
	"time"
)

const (
	cfUserInfo = "https://codeforces.com/api/user.info"
	// Servers between here and there cut addresses that are longer.
	cfHandlesLength = 1900
	// A clock of theirs may be behind one of ours, and a page be cached.
	cfBulkMargin = 10 * time.Minute
)

// cfUnknown is what the API answers for the one handle of several that it does not know.
var cfUnknown = regexp.MustCompile(`(?i)^handles?: User with handle (.*) not found$`)

// Batch is about what fits into one form; the API takes more.
func (codeforces) Batch() (first, most int) { return 1000, 1000 }

// BulkCheck asks when people were last on the site: who was not there since has
// submitted nothing. Others may have, as a team, and the team's submissions are
// theirs, too: so nobody is believed to be quiet for ever (see retrieval.FinishBulkCheck).
//
// The API takes 10,000 handles and 64 KB in a form, as others who send it report. More
// than an address holds are asked about so, and in addresses where it is refused.
func (codeforces) BulkCheck(ctx context.Context, get Getter, accounts []BulkAccount) ([]Finding, error) {
	found := make([]Finding, len(accounts))
	fit := func(from int) int {
		return from + cfFit(len(accounts)-from, func(i int) string { return accounts[from+i].Handle })
	}
	if fit(0) < len(accounts) {
		err := cfAskBulk(ctx, cfForm(get), accounts, found)
		if !errors.Is(err, errNoForm) {
			return found, in("user.info", err)
		}
		clear(found)
	}
	for from := 0; from < len(accounts); from = fit(from) {
		if err := cfAskBulk(ctx, cfAddress(get), accounts[from:fit(from)], found[from:fit(from)]); err != nil {
			return found, in("user.info", err)
		}
	}
	return found, nil
}

// A cfQuestion asks about handles that are joined by semicolons.
type cfQuestion func(ctx context.Context, joined string) (Page, error)

func cfAddress(get Getter) cfQuestion {
	return func(ctx context.Context, joined string) (Page, error) {
		return get.Get(ctx, cfUserInfo+"?handles="+url.QueryEscape(joined)+"&checkHistoricHandles=false")
	}
}

// errNoForm says that the site takes no form, or none that is so long.
var errNoForm = errors.New("not asked by a form")

func cfForm(get Getter) cfQuestion {
	return func(ctx context.Context, joined string) (Page, error) {
		page, _, err := ask(ctx, get, Request{Address: cfUserInfo,
			Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
			Body:   url.Values{"handles": {joined}, "checkHistoricHandles": {"false"}}.Encode()})
		if cfNoForm(page) {
			return page, errNoForm
		}
		return page, err
	}
}

// cfNoForm says whether an answer may be one to forms alone: what reads none sees a question
// about nobody, and what takes none refuses it.
func cfNoForm(page Page) bool {
	switch page.Status {
	case 301, 302, 303, 307, 308, 401, 403, 404, 405, 411, 413, 414, 415:
		return true
	case 400:
		_, err := cfAnswer(page)
		return !errors.Is(err, ErrNoHandle) && !errors.Is(err, ErrRateLimited)
	}
	return false
}

// cfAskBulk asks one question.
func cfAskBulk(ctx context.Context, question cfQuestion, accounts []BulkAccount, found []Finding) error {
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
	page, left, err := cfAbout(ctx, question, handles, func(unknown string) {
		for _, i := range at[strings.ToLower(unknown)] {
			found[i] = Unknown
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
func cfAbout(ctx context.Context, question cfQuestion, handles []string, unknown func(handle string)) (Page, bool, error) {
	for len(handles) > 0 {
		page, err := question(ctx, strings.Join(handles, ";"))
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
func (u cfUser) found(a BulkAccount) Finding {
	seen := time.Unix(u.LastOnlineTimeSeconds, 0).Add(cfBulkMargin)
	switch {
	case u.LastOnlineTimeSeconds <= 0:
		return Unanswered
	case seen.Before(a.Since):
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
