package networks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Resolve turns at://HANDLE/... into at://DID/...: handles change hands, and
// answers carry the DID.
func (b bluesky) Resolve(ctx context.Context, get Getter, c Credential, id string) (string, error) {
	who, key := splitURI(id)
	if key == "" {
		return "", fmt.Errorf("%q is not the address of a post on Bluesky", bounded(clean(id), 100))
	}
	did, err := b.Account(ctx, get, c, who)
	if err != nil {
		return "", err
	}
	return postURI(did, key), nil
}

// Account returns the DID of a handle, and a DID as it is. It asks
// com.atproto.identity.resolveHandle.
func (bluesky) Account(ctx context.Context, get Getter, c Credential, handle string) (string, error) {
	handle = strings.TrimPrefix(strings.TrimSpace(handle), "@")
	if didPattern.MatchString(handle) {
		return handle, nil
	}
	host, err := hostOf(c, blueskyHost)
	if err != nil {
		return "", err
	}
	if handle = strings.ToLower(handle); !isHandle(handle) {
		return "", fmt.Errorf("%q is not a handle on Bluesky, which is like ada.bsky.social", bounded(clean(handle), 100))
	}
	a, err := get.Get(ctx, "https://"+host+"/xrpc/com.atproto.identity.resolveHandle?handle="+handle, c.Token)
	if err != nil {
		return "", err
	}
	var answer struct{ DID, Error, Message string }
	ok := decode(a.Body, &answer)
	switch {
	case ok && a.Status == 200 && didPattern.MatchString(answer.DID):
		return answer.DID, nil
	case ok && a.Status == 400 && (answer.Error == "HandleNotFound" || strings.HasPrefix(answer.Message, "Unable to resolve handle")):
		return "", fmt.Errorf("%w: %s", ErrNoAccount, bounded(clean(answer.Message), 200))
	}
	return "", blueskyRefusal(a)
}

// Newer reads app.bsky.feed.getAuthorFeed. Reposts are no posts of their own
// there, so others' posts in the feed are passed over.
func (bluesky) Newer(ctx context.Context, get Getter, c Credential, key, sinceID string) ([]Post, error) {
	host, err := hostOf(c, blueskyHost)
	if err != nil {
		return nil, err
	}
	if !didPattern.MatchString(key) || sinceID != "" && !isPostURI(sinceID) {
		return nil, fmt.Errorf("account %q since %q: not ids of Bluesky", key, sinceID)
	}
	w := walk{since: sinceID, newer: newerKey, page: func(from string) (page, error) {
		q := url.Values{"actor": {key}, "limit": {"100"}, "filter": {"posts_with_replies"}}
		if from != "" {
			q.Set("cursor", from)
		}
		a, err := get.Get(ctx, "https://"+host+"/xrpc/app.bsky.feed.getAuthorFeed?"+q.Encode(), c.Token)
		if err != nil {
			return page{}, err
		}
		return blueskyPage(a, key)
	}}
	return w.posts()
}

func blueskyPage(a Answer, key string) (page, error) {
	var answer struct {
		Cursor string
		Feed   []json.RawMessage
	}
	if a.Status != 200 || !decode(a.Body, &answer) || answer.Feed == nil {
		return page{}, blueskyRefusal(a)
	}
	pg := page{next: answer.Cursor}
	for _, row := range answer.Feed {
		var item struct{ Post postView }
		if decode(row, &item); !isPostURI(item.Post.URI) {
			return page{}, strange(a, "a post without its address")
		}
		if p := item.Post.post(); p.AuthorKey == key {
			pg.posts = append(pg.posts, p)
		}
	}
	return pg, nil
}

// tid is a key that begins with the time: https://atproto.com/specs/tid.
var tid = regexp.MustCompile(`^[2-7a-j][2-7a-z]{12}$`)

// newerKey reports whether a post was written after another, as far as their keys
// tell; of a key without a time it is assumed.
func newerKey(a, b string) bool {
	_, ka := splitURI(a)
	_, kb := splitURI(b)
	if !tid.MatchString(ka) || !tid.MatchString(kb) {
		return a != b
	}
	return ka > kb
}
