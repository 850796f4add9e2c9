package standin

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

type (
	xPosts struct {
		Data   []xPost    `json:"data,omitempty"` // Absent when nothing is found.
		Errors []xMissing `json:"errors,omitempty"`
		Meta   *xMeta     `json:"meta,omitempty"`
	}
	// Only the first three are there unless more is asked for.
	xPost struct {
		ID         string       `json:"id"`
		Text       string       `json:"text"`
		Edits      []string     `json:"edit_history_tweet_ids"`
		Created    string       `json:"created_at,omitempty"`
		Author     string       `json:"author_id,omitempty"`
		Metrics    *xMetrics    `json:"public_metrics,omitempty"`
		References []xReference `json:"referenced_tweets,omitempty"`
	}
	xMetrics struct {
		Retweets    *int64 `json:"retweet_count,omitempty"`
		Reposts     *int64 `json:"repost_count,omitempty"` // The name in the newest description, for who asks by post.fields.
		Replies     int64  `json:"reply_count"`
		Likes       int64  `json:"like_count"`
		Quotes      int64  `json:"quote_count"`
		Bookmarks   int64  `json:"bookmark_count"`
		Impressions int64  `json:"impression_count"`
	}
	xReference struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
)

// xWanted is what is asked for besides the least.
type xWanted struct{ created, author, metrics, references, renamed bool }

var xFields = []string{
	"id", "text", "edit_history_tweet_ids", "created_at", "author_id", "public_metrics", "referenced_tweets", "attachments",
	"context_annotations",
	"conversation_id", "edit_controls", "entities", "geo", "in_reply_to_user_id", "lang", "note_tweet", "possibly_sensitive",
	"reply_settings", "source", "withheld",
}

func xFieldsOf(values url.Values) (xWanted, *answer) {
	w := xWanted{renamed: values.Has("post.fields")}
	key := "tweet.fields"
	if w.renamed {
		key = "post.fields"
	}
	for field := range strings.SplitSeq(values.Get(key), ",") {
		if field != "" && !slices.Contains(xFields, field) {
			a := xBad(key, field, fmt.Sprintf("The `%s` query parameter value [%s] is not one of [%s]", key, field,
				strings.Join(xFields, ",")))
			return w, &a
		}
		w.created = w.created || field == "created_at"
		w.author = w.author || field == "author_id"
		w.metrics = w.metrics || field == "public_metrics"
		w.references = w.references || field == "referenced_tweets"
	}
	return w, nil
}

// lookup is up to a hundred posts by id, in the order asked for; what cannot be
// seen is listed with a reason.
func (xNetwork) lookup(s *Server, q question, find func(string) (*post, bool)) answer {
	values := query(q.r)
	wanted, bad := xFieldsOf(values)
	if bad != nil {
		return *bad
	}
	text := values.Get("ids")
	ids := strings.Split(text, ",")
	if len(ids) > xBatch {
		return xBad("ids", text, fmt.Sprintf("The number of values in the `ids` query parameter list [%d] is not between 1 and %d",
			len(ids), xBatch))
	}
	if text == "" {
		return xBad("ids", text, "The `ids` query parameter can not be empty")
	}
	for _, id := range ids {
		if !xWellFormed(id) {
			return xBad("ids", text, fmt.Sprintf("The `ids` query parameter value [%s] does not match ^[0-9]{1,19}$", id))
		}
	}
	var page xPosts
	for _, id := range ids {
		p, ok := find(id)
		switch {
		case ok:
			page.Data = append(page.Data, s.xView(p, wanted, q.now.Unix()))
		case p != nil:
			page.Errors = append(page.Errors, xNotAuthorized(id))
		default:
			page.Errors = append(page.Errors, xNotFound("tweet", "ids", id))
		}
	}
	if s != nil {
		s.notePoll("x", ids, xBatch, q.now)
	}
	return asJSON(http.StatusOK, page)
}

func xWellFormed(id string) bool {
	return len(id) >= 1 && len(id) <= 19 && strings.Trim(id, "0123456789") == ""
}

func (s *Server) xView(p *post, wanted xWanted, now int64) xPost {
	v := xPost{ID: p.id, Edits: []string{p.id}}
	if p.kind == retweet {
		o := s.original(p)
		v.Text = "RT @" + s.nameOn("x", o.author) + ": " + o.text()
		if wanted.references {
			v.References = []xReference{{"retweeted", o.id}}
		}
	} else {
		v.Text = p.text()
	}
	if wanted.created {
		v.Created = p.madeAt()
	}
	if wanted.author {
		v.Author = strconv.Itoa(xFirstUser + p.author)
	}
	if wanted.metrics {
		c := s.countsOf(p, now)
		v.Metrics = &xMetrics{Replies: c.replies, Likes: c.likes, Quotes: c.quotes, Bookmarks: c.bookmarks, Impressions: c.views}
		if wanted.renamed {
			v.Metrics.Reposts = &c.reposts
		} else {
			v.Metrics.Retweets = &c.reposts
		}
	}
	return v
}

type (
	xUser struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Username string `json:"username"`
	}
	xMeta struct {
		Count  int    `json:"result_count"`
		Newest string `json:"newest_id,omitempty"`
		Oldest string `json:"oldest_id,omitempty"`
		Next   string `json:"next_token,omitempty"`
	}
)

func (xNetwork) user(s *Server, q question) answer {
	p, ok := s.personOf("x", q.handle)
	if !ok {
		return xNoUser(q.handle)
	}
	return asJSON(http.StatusOK, map[string]any{"data": xUser{xUserID(p), s.nameOf(p, q.now.Unix()), p.Networks["x"]}})
}

// timeline is a page of somebody's posts, newest first. The token of the next
// page is the id of this page's last post behind a word, so nothing is stored.
func (xNetwork) timeline(s *Server, q question, id string) answer {
	p, ok := s.xUser(id)
	if !ok {
		return asJSON(http.StatusOK, xPosts{Errors: []xMissing{xNotFound("user", "id", id)}})
	}
	values := query(q.r)
	wanted, bad := xFieldsOf(values)
	if bad != nil {
		return *bad
	}
	most, err := number(q, "max_results", 10)
	if err != nil || most < 5 || most > 100 {
		return xBad("max_results", values.Get("max_results"),
			fmt.Sprintf("The `max_results` query parameter value [%s] is not between 5 and 100", values.Get("max_results")))
	}
	bounds, bad := xBoundsOf(values)
	if bad != nil {
		return *bad
	}
	page := xPosts{Meta: &xMeta{}}
	without := strings.Split(values.Get("exclude"), ",")
	for t := range s.timeline(p, xNetwork{}, q.now.Unix()) {
		if t.number <= bounds.since {
			break
		}
		if t.number >= bounds.before || t.kind == retweet && slices.Contains(without, "retweets") {
			continue
		}
		if len(page.Data) == most {
			page.Meta.Next = "before" + page.Data[most-1].ID
			break
		}
		page.Data = append(page.Data, s.xView(t, wanted, q.now.Unix()))
	}
	if n := len(page.Data); n > 0 {
		page.Meta.Count, page.Meta.Newest, page.Meta.Oldest = n, page.Data[0].ID, page.Data[n-1].ID
	}
	return asJSON(http.StatusOK, page)
}

// xBounds are between which ids a page of a timeline lies.
type xBounds struct{ since, before uint64 }

func xBoundsOf(values url.Values) (xBounds, *answer) {
	b := xBounds{before: math.MaxUint64}
	for _, key := range []string{"since_id", "until_id", "pagination_token"} {
		text := values.Get(key)
		if text == "" {
			continue
		}
		if key == "pagination_token" {
			text = strings.TrimPrefix(text, "before")
		}
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			bad := xBad(key, values.Get(key), fmt.Sprintf("The `%s` query parameter value [%s] is not valid", key, values.Get(key)))
			return b, &bad
		}
		if key == "since_id" {
			b.since = n
		} else if n > 0 {
			b.before = min(b.before, n)
		}
	}
	return b, nil
}
