package standin

import (
	"fmt"
	"net/http"
	"strconv"
)

type (
	maStatus struct {
		ID          string     `json:"id"`
		Created     string     `json:"created_at"`
		ReplyTo     *string    `json:"in_reply_to_id"`
		ReplyToWhom *string    `json:"in_reply_to_account_id"`
		Sensitive   bool       `json:"sensitive"`
		Spoiler     string     `json:"spoiler_text"`
		Visibility  string     `json:"visibility"`
		Language    string     `json:"language"`
		URI         string     `json:"uri"`
		URL         *string    `json:"url"`
		Replies     int64      `json:"replies_count"`
		Reblogs     int64      `json:"reblogs_count"`
		Favourites  int64      `json:"favourites_count"`
		Quotes      int64      `json:"quotes_count"`
		Edited      *string    `json:"edited_at"`
		Content     string     `json:"content"`
		Reblog      *maStatus  `json:"reblog"`
		Account     maAccount  `json:"account"`
		Media       []struct{} `json:"media_attachments"`
		Mentions    []struct{} `json:"mentions"`
		Tags        []struct{} `json:"tags"`
		Emojis      []struct{} `json:"emojis"`
		Quote       *struct{}  `json:"quote"`
		Card        *struct{}  `json:"card"`
		Poll        *struct{}  `json:"poll"`
	}
	maAccount struct {
		ID        string     `json:"id"`
		Username  string     `json:"username"`
		Acct      string     `json:"acct"`
		Display   string     `json:"display_name"`
		Locked    bool       `json:"locked"`
		Bot       bool       `json:"bot"`
		Group     bool       `json:"group"`
		Created   string     `json:"created_at"`
		Note      string     `json:"note"`
		URL       string     `json:"url"`
		URI       string     `json:"uri"`
		Followers int        `json:"followers_count"`
		Following int        `json:"following_count"`
		Statuses  int        `json:"statuses_count"`
		Emojis    []struct{} `json:"emojis"`
		Fields    []struct{} `json:"fields"`
	}
)

// maHome is where the instance says it is.
const maHome = "https://social.sample.invalid"

func (s *Server) maAccount(index int, now int64) maAccount {
	a := maAccount{
		ID: maAccountID(index), Username: s.nameOn("mastodon", index), Created: "2022-11-05T00:00:00.000Z",
		Display:   s.nameOf(s.people[index], now),
		Followers: int(mix(uint64(index), 'F') % 900), Following: int(mix(uint64(index), 'G') % 300), Statuses: 200, Emojis: []struct{}{},
		Fields: []struct{}{},
	}
	a.Acct, a.URL, a.URI = a.Username, maHome+"/@"+a.Username, maHome+"/users/"+a.Username
	return a
}

// maView is a post, or a boost: empty but for the post that it boosts.
func (s *Server) maView(p *post, now int64) maStatus {
	c := s.countsOf(p, now)
	account := s.maAccount(p.author, now)
	v := maStatus{
		ID: p.id, Created: p.madeAt(), Visibility: "public", Language: "en", URI: account.URI + "/statuses/" + p.id,
		Replies: c.replies, Reblogs: c.reposts, Favourites: c.likes, Quotes: c.quotes, Content: "<p>" + p.text() + "</p>", Account: account,
		Media: []struct{}{}, Mentions: []struct{}{}, Tags: []struct{}{}, Emojis: []struct{}{},
	}
	v.URL = new(account.URL + "/" + p.id)
	if p.kind == retweet {
		o := s.original(p)
		v.Reblog = new(s.maView(&o, now))
		v.Content = v.Reblog.Content
	}
	return v
}

// timeline is a page of an account's posts, newest first. since_id is a floor;
// min_id asks for those next above it.
func (mastodon) timeline(s *Server, q question, p *person) answer {
	limit, err := number(q, "limit", 20)
	if err != nil || limit < 1 {
		limit = 20
	}
	limit = min(limit, 40)
	values := query(q.r)
	var bounds [3]uint64
	for i, key := range []string{"since_id", "min_id", "max_id"} {
		bounds[i], _ = strconv.ParseUint(values.Get(key), 10, 63) // What is no number does not bound.
	}
	without := values.Get("exclude_reblogs") == "true" || values.Get("exclude_reblogs") == "1"
	page := []maStatus{}
	for x := range s.timeline(p, mastodon{}, q.now.Unix()) {
		if x.number <= max(bounds[0], bounds[1]) || len(page) == limit && bounds[1] == 0 {
			break
		}
		if (bounds[2] == 0 || x.number < bounds[2]) && (!without || x.kind != retweet) {
			page = append(page, s.maView(x, q.now.Unix()))
		}
	}
	page = page[max(0, len(page)-limit):]
	a := asJSON(http.StatusOK, page)
	if len(page) > 0 {
		a.header = http.Header{"Link": {maLinks(q.r, page)}}
	}
	return a
}

// maLinks are the addresses of the pages beside this one.
func maLinks(r *http.Request, page []maStatus) string {
	at := fmt.Sprintf("http://%s%s?", r.Host, r.URL.Path)
	return fmt.Sprintf(`<%smax_id=%s>; rel="next", <%smin_id=%s>; rel="prev"`, at, page[len(page)-1].ID, at, page[0].ID)
}
