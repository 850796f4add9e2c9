package networks

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"time"
)

func init() { register(bluesky{}) }

// bluesky reads app.bsky.feed.getPosts, as its lexicon describes it:
// https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/feed
//
// A post is stored under at://DID/app.bsky.feed.post/KEY. Posts that are deleted,
// blocked or taken down are left out of an answer without a word.
type bluesky struct{}

var blueskyInfo = Info{
	Name:     "bluesky",
	Title:    "Bluesky",
	Home:     "https://bsky.app",
	Batch:    25,
	Gap:      100 * time.Millisecond, // "Generous"; a server of one's own posts allows 3,000 in 5 minutes.
	Requests: 3000,
	Window:   5 * time.Minute,
}

const (
	blueskyHost = "public.api.bsky.app"
	blueskyPost = "app.bsky.feed.post"
)

func (bluesky) Info() Info { return blueskyInfo }

func (bluesky) Fetch(ctx context.Context, get Getter, c Credential, ids []string) (Fetched, error) {
	host, err := hostOf(c, blueskyHost)
	if err != nil {
		return Fetched{}, err
	}
	q := question{batch: blueskyInfo.Batch, valid: isPostURI, read: blueskyRead, address: func(ask []string) string {
		return "https://" + host + "/xrpc/app.bsky.feed.getPosts?" + url.Values{"uris": ask}.Encode()
	}}
	return q.put(ctx, get, c, ids)
}

// A postView is a post with its numbers, of which the lexicon promises none.
type postView struct {
	URI    string
	Author struct{ DID, Handle string }
	Record struct{ CreatedAt, Text string }

	IndexedAt                                                     string
	LikeCount, RepostCount, ReplyCount, QuoteCount, BookmarkCount count
}

func blueskyRead(a Answer, _ []string) (map[string]Post, map[string]string, error) {
	var answer struct{ Posts []json.RawMessage }
	if a.Status != 200 || !decode(a.Body, &answer) || answer.Posts == nil {
		return nil, nil, blueskyRefusal(a)
	}
	posts := map[string]Post{}
	for _, row := range answer.Posts {
		var v postView
		if decode(row, &v); !isPostURI(v.URI) {
			return nil, nil, strange(a, "a post without its address")
		}
		p := v.post()
		posts[p.ID] = p
		if p.Author != "" { // Asked for by its handle, it comes under its DID.
			posts[postURI(p.Author, p.ID[strings.LastIndexByte(p.ID, '/')+1:])] = p
		}
	}
	return posts, nil, nil
}

func (v postView) post() Post {
	who, key := splitURI(v.URI)
	p := Post{
		ID: v.URI, AuthorKey: who, URL: "https://bsky.app/profile/" + who + "/post/" + key,
		Text: bounded(clean(v.Record.Text), textRunes), Likes: v.LikeCount.n, Reposts: v.RepostCount.n,
		Replies: v.ReplyCount.n, Quotes: v.QuoteCount.n, Bookmarks: v.BookmarkCount.n,
	}
	if handle := strings.ToLower(v.Author.Handle); isHandle(handle) && handle != "handle.invalid" {
		p.Author = handle
	}
	p.IndexedAt, _ = when(v.IndexedAt)
	created, _ := when(v.Record.CreatedAt)
	p.CreatedAt = Born(created, p.IndexedAt)
	return p
}

// Born returns since when a post is there, where its author may write any date
// and the network says when it first saw it. A date in the future is not
// believed, and an old one, as of posts that were moved in, only by a day: a post
// is new to its readers when it appears. Born of its own result is the same.
func Born(created, indexed time.Time) time.Time {
	switch {
	case indexed.IsZero():
		return created
	case created.IsZero() || created.After(indexed):
		return indexed
	case created.Before(indexed.Add(-24 * time.Hour)):
		return indexed.Add(-24 * time.Hour)
	}
	return created
}

// blueskyRefusal reads {"error":"InvalidRequest","message":"..."}: the name says
// more than the status, which is 400 for an expired token too.
func blueskyRefusal(a Answer) *Refusal {
	var answer struct{ Error, Message string }
	ok := decode(a.Body, &answer)
	kind, found := byStatus(a)
	words := strings.TrimPrefix(answer.Error+": "+answer.Message, ": ")
	switch {
	case found || kind == Format:
		return strange(a, "no list of posts: %s", words)
	case kind == ServerError || !ok || kind != BadRequest:
		return refusal(a, kind, strings.TrimSuffix(words, ": "))
	}
	switch answer.Error {
	case "ExpiredToken", "InvalidToken", "AuthMissing", "AuthenticationRequired":
		kind = Unauthorized
	case "AccountTakedown", "AccountDeactivated", "AccountSuspended":
		kind = Forbidden
	case "RateLimitExceeded":
		kind = RateLimited
	case "UpstreamFailure", "UpstreamTimeout", "InternalServerError", "NotEnoughResources":
		kind = ServerError
	case "MethodNotImplemented", "XRPCNotSupported":
		kind = Format
	}
	if strings.Contains(answer.Message, "must not have more than") {
		kind = TooMany
	}
	return refusal(a, kind, words)
}

var (
	// https://atproto.com/specs/did, /specs/handle, /specs/record-key
	didPattern    = regexp.MustCompile(`^did:[a-z]+:[a-zA-Z0-9._:%-]{0,500}[a-zA-Z0-9._-]$`)
	handlePattern = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)
	keyPattern    = regexp.MustCompile(`^[a-zA-Z0-9._:~-]{1,512}$`)
)

func isHandle(s string) bool { return len(s) <= 253 && handlePattern.MatchString(s) }

// isPostURI reports whether s is the address of a post as it is written canonically.
func isPostURI(s string) bool {
	who, key := splitURI(s)
	return key != "" && s == postURI(who, key)
}

// splitURI returns the repository and the key of a post's address; "" for what is none.
func splitURI(s string) (who, key string) {
	rest, ok := strings.CutPrefix(s, "at://")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) != 3 || parts[1] != blueskyPost || !keyPattern.MatchString(parts[2]) || strings.Trim(parts[2], ".") == "" &&
		len(parts[2]) < 3 {
		return "", ""
	}
	if !didPattern.MatchString(parts[0]) && !isHandle(parts[0]) {
		return "", ""
	}
	return parts[0], parts[2]
}

func postURI(who, key string) string { return "at://" + who + "/" + blueskyPost + "/" + key }

// Parse knows at:// addresses and bsky.app/profile/WHO/post/KEY, where WHO may be
// a handle: then Resolve gives the id.
func (bluesky) Parse(text string) (Ref, bool) {
	text = strings.TrimSpace(text)
	var who, key string
	if rest, ok := strings.CutPrefix(text, "at://"); ok {
		who, key = atParts(rest)
	} else if l, ok := readLink(text); ok && l.under("www.") == "bsky.app" && len(l.path) >= 4 && l.path[0] == "profile" &&
		l.path[2] == "post" {
		who, key = l.path[1], l.path[3]
	}
	if !strings.HasPrefix(who, "did:") {
		who = strings.ToLower(strings.TrimPrefix(who, "@"))
	}
	id := postURI(who, key)
	return Ref{Network: "bluesky", ID: id}, isPostURI(id)
}

func atParts(rest string) (who, key string) {
	if parts := strings.Split(rest, "/"); len(parts) == 3 && parts[1] == blueskyPost {
		return parts[0], parts[2]
	}
	return "", ""
}
