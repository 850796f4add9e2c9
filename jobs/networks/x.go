package networks

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func init() { register(x{}) }

// x reads https://docs.x.com/x-api/posts/get-posts-by-ids (API v2), and for
// credentials that say so the lookup of v1.1 in x_v11.go.
type x struct{}

var xInfo = Info{
	Name:       "x",
	Title:      "X",
	Home:       "https://x.com",
	Batch:      100,
	NeedsToken: true,
	Gap:        time.Second,
	Requests:   300, // The smallest that was ever seen; today's documents say 3,500.
	Window:     15 * time.Minute,
	Price:      5, // docs/research/costs.md
	TokenHint:  "the bearer token of an app at developer.x.com",
	OldAPI:     "API v1.1", FieldsParameter: "tweet.fields",
}

func (x) Info() Info { return xInfo }

func (x) Fetch(ctx context.Context, get Getter, c Credential, ids []string) (Fetched, error) {
	host, err := hostOf(c, "api.x.com")
	if err != nil {
		return Fetched{}, err
	}
	q := question{batch: xInfo.Batch, valid: isNumeral, read: xRead, address: func(ask []string) string {
		return "https://" + host + "/2/tweets?ids=" + strings.Join(ask, ",") + "&" + xFields(c)
	}}
	if c.Legacy {
		q.read, q.address = v11Read, func(ask []string) string { return "https://" + host + v11Lookup(ask) }
	}
	return q.put(ctx, get, c, ids)
}

// xFields asks for what a Post holds and costs no more than the post alone; the
// author's name would be the reading of a user. In the vocabulary of OpenAPI
// 2.167 author and references are no fields but expansions, which cost: there a
// repost looks like any other post unless the server says so by itself.
func xFields(c Credential) string {
	name, fields := cmp.Or(c.Fields, xInfo.FieldsParameter), "created_at,public_metrics"
	if name == xInfo.FieldsParameter {
		fields += ",author_id,referenced_tweets"
	}
	return url.QueryEscape(name) + "=" + fields
}

// An xAnswer is the envelope of v2: data, or a problem, or both.
type xAnswer struct {
	xProblem // A problem of the whole call is at the top.
	Data     json.RawMessage
	Includes struct {
		Users         []xUser
		Tweets, Posts []xTweet
	}
	Errors []xProblem
	Meta   struct {
		NextToken   string `json:"next_token"`
		ResultCount *int   `json:"result_count"`
	}
}

type xUser struct {
	ID       numeral
	Username string
}

type xTweet struct {
	ID            numeral
	Text          string
	CreatedAt     string  `json:"created_at"`
	AuthorID      numeral `json:"author_id"`
	PublicMetrics struct {
		Likes       count `json:"like_count"`
		Retweets    count `json:"retweet_count"`
		Reposts     count `json:"repost_count"` // OpenAPI 2.167's name for it.
		Replies     count `json:"reply_count"`
		Quotes      count `json:"quote_count"`
		Bookmarks   count `json:"bookmark_count"`
		Impressions count `json:"impression_count"`
	} `json:"public_metrics"`
	ReferencedTweets []xReference `json:"referenced_tweets"`
	ReferencedPosts  []xReference `json:"referenced_posts"`
	EditedTweets     []numeral    `json:"edit_history_tweet_ids"`
	EditedPosts      []numeral    `json:"edit_history_post_ids"`
}

type xReference struct {
	Type string
	ID   numeral
}

func xRead(a Answer, ask []string) (map[string]Post, map[string]string, error) {
	var answer xAnswer
	if a.Status != 200 || !decode(a.Body, &answer) {
		return nil, nil, xRefusal(a)
	}
	tweets, given := xTweets(answer.Data)
	reasons := map[string]string{}
	for _, p := range answer.Errors {
		if id, reason := p.missing(); id != "" {
			reasons[id] = reason
		}
	}
	for _, id := range ask {
		if reason := reasons[id]; !given && (reason == "" || reason == Unsaid) { // {"errors":[]} proves nothing of anybody.
			return nil, nil, xRefusal(a)
		}
	}
	posts, err := answer.posts(a, tweets)
	return posts, reasons, err
}

// xTweets reads data: a list, or the one that was asked for. It is false where
// there is none.
func xTweets(data json.RawMessage) (tweets []xTweet, given bool) {
	switch shape(data) {
	case '[':
		var rows []json.RawMessage
		given = decode(data, &rows)
		for _, row := range rows {
			var t xTweet
			decode(row, &t)
			tweets = append(tweets, t)
		}
	case '{':
		var t xTweet
		given = decode(data, &t)
		tweets = append(tweets, t)
	}
	return tweets, given
}

// posts returns the posts by id. One without an id spoils the answer: it might be
// any of those that seem to be missing.
func (answer xAnswer) posts(a Answer, tweets []xTweet) (map[string]Post, error) {
	names := map[numeral]string{}
	for _, u := range answer.Includes.Users {
		names[u.ID] = u.Username
	}
	originals := map[string]Post{}
	for _, t := range append(answer.Includes.Tweets, answer.Includes.Posts...) {
		originals[string(t.ID)] = t.post(names)
	}
	posts := map[string]Post{}
	for _, t := range tweets {
		if t.ID == "" {
			return nil, strange(a, "a post without an id")
		}
		p := t.post(names)
		if original, ok := originals[p.RepostOf]; ok && original.ID != "" {
			p.Original = &original
		}
		posts[p.ID] = p
	}
	for _, t := range tweets { // An edited post may answer to the ids it had before.
		for _, old := range append(t.EditedTweets, t.EditedPosts...) {
			if _, ok := posts[string(old)]; !ok && old != "" {
				posts[string(old)] = posts[string(t.ID)]
			}
		}
	}
	return posts, nil
}

func (t xTweet) post(names map[numeral]string) Post {
	m := t.PublicMetrics
	p := xPost(string(t.ID), names[t.AuthorID], t.Text, t.CreatedAt)
	p.AuthorKey = string(t.AuthorID)
	p.Likes, p.Reposts, p.Replies = m.Likes.n, first(m.Retweets, m.Reposts), m.Replies.n
	p.Quotes, p.Bookmarks, p.Views = m.Quotes.n, m.Bookmarks.n, m.Impressions.n
	for _, r := range append(t.ReferencedTweets, t.ReferencedPosts...) {
		if r.Type == "retweeted" || r.Type == "reposted" {
			p.RepostOf = string(r.ID)
		}
	}
	return p
}

var xName = regexp.MustCompile(`^[A-Za-z0-9_]{1,20}$`)

// xPost is what both versions of the API say alike.
func xPost(id, author, text, createdAt string) Post {
	p := Post{ID: id, Text: bounded(clean(unescaped(text)), textRunes)}
	if xName.MatchString(author) {
		p.Author = author
	}
	p.URL = "https://x.com/" + cmp.Or(p.Author, "i") + "/status/" + id
	var ok bool
	if p.CreatedAt, ok = when(createdAt); !ok {
		p.CreatedAt, _ = snowflakeTime(id)
	}
	return p
}

// MadeAt implements Dater.
func (x) MadeAt(id string) (time.Time, bool) { return snowflakeTime(id) }

// snowflakeTime returns the time that is written into an id of X since
// 2010-11-04. Ids before were counted one by one and tell nothing.
func snowflakeTime(id string) (time.Time, bool) {
	const lastCounted, epoch = 29700859247, 1288834974657
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n <= lastCounted {
		return time.Time{}, false
	}
	return believable(time.UnixMilli(n>>22 + epoch))
}
