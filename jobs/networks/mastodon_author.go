package networks

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// foreign are hosts whose addresses look like an instance's and are none.
var foreign = []string{"x.com", "twitter.com", "bsky.app", "medium.com", "youtube.com", "tiktok.com", "threads.net", "threads.com"}

// accountName is a name on an instance, with or without the host of another.
var accountName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,100}[A-Za-z0-9_])?` +
	`(@[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?(:[0-9]{1,5})?)?$`)

// Parse knows ids and the links of any instance: HOST/@ada/1, also of another
// instance's post as HOST shows it (@ada@elsewhere), HOST/users/ada/statuses/1,
// HOST/ap/users/2/statuses/1, HOST/web/statuses/1, HOST/deck/@ada/1 and the
// API's HOST/api/v1/statuses/1, with anything behind.
func (mastodon) Parse(text string) (Ref, bool) {
	text = strings.TrimSpace(text)
	if isNumeral(text) {
		return Ref{Network: "mastodon", ID: text}, true
	}
	l, ok := readLink(text)
	name, _, _ := strings.Cut(l.host, ":")
	if !ok || !strings.Contains(name, ".") && name != "localhost" || slices.Contains(foreign, l.under("www.", "mobile.", "m.", "api.")) {
		return Ref{}, false
	}
	id := mastodonID(l.path)
	return Ref{Network: "mastodon", Host: l.host, ID: id}, isNumeral(id)
}

// mastodonID is what is in a path for the post, "" where nothing does.
func mastodonID(path []string) string {
	skipped := len(path) > 0 && slices.Contains([]string{"web", "deck", "ap"}, path[0])
	if skipped {
		path = path[1:]
	}
	at := func(i int) string {
		if i < len(path) {
			return path[i]
		}
		return ""
	}
	switch {
	case strings.HasPrefix(at(0), "@") && accountName.MatchString(at(0)[1:]):
		return at(1)
	case at(0) == "users" && at(2) == "statuses" && accountName.MatchString(at(1)):
		return at(3)
	case at(0) == "api" && at(1) == "v1" && at(2) == "statuses":
		return at(3)
	case at(0) == "statuses" && skipped:
		return at(1)
	}
	return ""
}

// Account asks for the number that the instance has for a name.
func (mastodon) Account(ctx context.Context, get Getter, c Credential, handle string) (string, error) {
	host, err := instance(c)
	if err != nil {
		return "", err
	}
	handle = strings.TrimPrefix(strings.TrimSpace(handle), "@")
	if !accountName.MatchString(handle) {
		return "", fmt.Errorf("%q is not a name on Mastodon, which is like ada@mastodon.social", bounded(clean(handle), 100))
	}
	if name, at, _ := strings.Cut(handle, "@"); strings.EqualFold(at, host) {
		handle = name
	}
	a, err := get.Get(ctx, "https://"+host+"/api/v1/accounts/lookup?acct="+url.QueryEscape(handle), c.Token)
	if err != nil {
		return "", err
	}
	var account struct{ ID numeral }
	words, ok := mastodonWords(a)
	switch {
	case ok && a.Status == 200 && decode(a.Body, &account) && account.ID != "":
		return string(account.ID), nil
	case ok && words != "" && (a.Status == 404 || a.Status == 410):
		return "", fmt.Errorf("%w: %s", ErrNoAccount, bounded(words, 200))
	}
	return "", mastodonRefusal(a)
}

// Newer reads https://docs.joinmastodon.org/methods/accounts/#statuses, reblogs
// and replies too. Asked at home, where they are all known.
func (mastodon) Newer(ctx context.Context, get Getter, c Credential, key, sinceID string) ([]Post, error) {
	host, err := instance(c)
	if err != nil {
		return nil, err
	}
	if !isNumeral(key) || sinceID != "" && !isNumeral(sinceID) {
		return nil, fmt.Errorf("account %q since %q: not ids of Mastodon", key, sinceID)
	}
	w := walk{since: sinceID, newer: newerNumeral, page: func(from string) (page, error) {
		q := url.Values{"limit": {"40"}}
		if sinceID != "" {
			q.Set("since_id", sinceID)
		}
		if from != "" {
			q.Set("max_id", from)
		}
		a, err := get.Get(ctx, "https://"+host+"/api/v1/accounts/"+key+"/statuses?"+q.Encode(), c.Token)
		if err != nil {
			return page{}, err
		}
		rows, err := statuses(a)
		var pg page
		for _, s := range rows {
			pg.posts, pg.next = append(pg.posts, s.post(host)), string(s.ID)
		}
		return pg, err
	}}
	return w.posts()
}
