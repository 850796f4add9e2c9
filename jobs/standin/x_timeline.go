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
