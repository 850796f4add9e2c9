package networks

import (
	"context"
	"fmt"
	"strings"
)

// A question is what differs between networks in one Fetch.
type question struct {
	batch   int
	valid   func(id string) bool
	address func(ask []string) string
	// read returns the posts an answer shows, by the id they can be asked for, and
	// why others are missing. An id in neither is Absent.
	read func(a Answer, ask []string) (posts map[string]Post, reasons map[string]string, err error)
}

// put asks once, or not at all where there is nothing to ask for.
func (q question) put(ctx context.Context, get Getter, c Credential, ids []string) (Fetched, error) {
	ask, reasons := sortOut(ids, q.valid)
	if len(ask) == 0 {
		return account(ids, nil, reasons, Absent), nil
	}
	if len(ask) > q.batch {
		return Fetched{}, &Refusal{Kind: TooMany, Batch: q.batch,
			Message: fmt.Sprintf("%d posts in one request, not more than %d", len(ask), q.batch)}
	}
	a, err := get.Get(ctx, q.address(ask), c.Token)
	if err != nil {
		return Fetched{}, err
	}
	posts, said, err := q.read(a, ask)
	if err != nil {
		return Fetched{}, err
	}
	for id, reason := range said {
		reasons[id] = reason
	}
	f := account(ids, posts, reasons, Absent)
	if len(f.Posts) == 0 && len(posts) > 0 {
		// Another's answer, from a cache or a mirror.
		return Fetched{}, strange(a, "the answer has %d posts, none of them requested", len(posts))
	}
	f.Quota = quota(a)
	return f, nil
}

// hostOf returns the host to ask: the credential's, else the network's own.
func hostOf(c Credential, own string) (string, error) {
	host := strings.ToLower(strings.TrimSpace(c.Host))
	if host == "" {
		host = own
	}
	if !hostname.MatchString(host) {
		return "", fmt.Errorf("%q is not the name of a host", host)
	}
	return host, nil
}
