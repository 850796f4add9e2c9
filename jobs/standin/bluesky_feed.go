package standin

import (
	"net/http"
	"slices"
	"time"
)

type (
	bsPost struct {
		URI       string   `json:"uri"`
		CID       string   `json:"cid"`
		Author    bsAuthor `json:"author"`
		Record    bsRecord `json:"record"`
		Bookmarks int64    `json:"bookmarkCount"`
		Replies   int64    `json:"replyCount"`
		Reposts   int64    `json:"repostCount"`
		Likes     int64    `json:"likeCount"`
		Quotes    int64    `json:"quoteCount"`
		Indexed   string   `json:"indexedAt"`
		Labels    []string `json:"labels"`
	}
	bsAuthor struct {
		DID     string   `json:"did"`
		Handle  string   `json:"handle"`
		Display string   `json:"displayName,omitempty"`
		Labels  []string `json:"labels"`
		Created string   `json:"createdAt"`
	}
	bsRecord struct {
		Type    string   `json:"$type"`
		Created string   `json:"createdAt"`
		Langs   []string `json:"langs"`
		Text    string   `json:"text"`
	}
	bsFeedPost struct {
		Post bsPost `json:"post"`
	}
	bsFeedPage struct {
		Feed   []bsFeedPost `json:"feed"`
		Cursor string       `json:"cursor,omitempty"` // Absent on the last page.
	}
)

// bsView is a post as all see it. The network has it a moment after its author.
func (s *Server) bsView(p *post, now int64) bsPost {
	c := s.countsOf(p, now)
	r := rnd(mix(p.key, 'v'))
	indexed := time.UnixMilli(p.ms + int64(r.between(300, 2500))).UTC().Format(milliseconds)
	v := bsPost{
		URI: p.id, CID: bsCID(&r), Bookmarks: c.bookmarks, Replies: c.replies, Reposts: c.reposts, Likes: c.likes, Quotes: c.quotes,
		Record:  bsRecord{"app.bsky.feed.post", p.madeAt(), []string{"en"}, p.text()},
		Author:  bsAuthor{DID: did(p.author), Handle: "handle.invalid", Labels: []string{}, Created: "2024-11-20T10:00:00.000Z"},
		Indexed: indexed, Labels: []string{},
	}
	if p.author < len(s.people) {
		v.Author.Handle, v.Author.Display = s.nameOn("bluesky", p.author), s.nameOf(s.people[p.author], now)
	}
	return v
}

// bsCID has the form of the hash of a record.
func bsCID(r *rnd) string {
	text := []byte("bafyrei")
	for range 52 {
		text = append(text, didLetters[r.upTo(32)])
	}
	return string(text)
}

var bsFilters = []string{"", "posts_with_replies", "posts_no_replies", "posts_with_media", "posts_and_author_threads", "posts_with_video"}

// feed is a page of somebody's posts, newest first. The cursor is the time of the
// last one.
func (bluesky) feed(s *Server, q question, p *person) answer {
	values := query(q.r)
	limit, err := number(q, "limit", 50)
	switch {
	case err != nil || limit < 1:
		return bsBad("Error: limit can not be less than 1")
	case limit > 100:
		return bsBad("Error: limit can not be greater than 100")
	case !slices.Contains(bsFilters, values.Get("filter")):
		return bsBad("Error: filter must be one of " +
			"(posts_with_replies|posts_no_replies|posts_with_media|posts_and_author_threads|posts_with_video)")
	}
	before := q.now.Add(time.Hour)
	if text := values.Get("cursor"); text != "" {
		if before, err = time.Parse(time.RFC3339, text); err != nil {
			return bsBad("Malformed cursor")
		}
	}
	page := bsFeedPage{Feed: []bsFeedPost{}}
	if media := values.Get("filter"); media == "posts_with_media" || media == "posts_with_video" {
		return asJSON(http.StatusOK, page) // Nobody here makes pictures.
	}
	for x := range s.timeline(p, bluesky{}, q.now.Unix()) {
		if x.ms >= before.UnixMilli() {
			continue
		}
		if len(page.Feed) == limit {
			page.Cursor = page.Feed[limit-1].Post.Record.Created
			break
		}
		page.Feed = append(page.Feed, bsFeedPost{s.bsView(x, q.now.Unix())})
	}
	return asJSON(http.StatusOK, page)
}
