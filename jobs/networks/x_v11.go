package networks

import (
	"encoding/json"
	"strings"
)

// The lookup of v1.1, which compatible servers still speak:
// https://developer.x.com/en/docs/x-api/v1/tweets/post-and-engage/api-reference/get-statuses-lookup
// Its list is in no order and leaves missing posts out; with map=true an object
// names every id asked for. Servers are free to pass over the parameter.

func v11Lookup(ask []string) string {
	return "/1.1/statuses/lookup.json?id=" + strings.Join(ask, ",") + "&map=true&tweet_mode=extended&include_entities=false"
}

type v11Tweet struct {
	ID              numeral
	IDStr           numeral `json:"id_str"`
	Text            string
	FullText        string    `json:"full_text"`
	CreatedAt       string    `json:"created_at"`
	Likes           count     `json:"favorite_count"`
	Retweets        count     `json:"retweet_count"`
	Reposts         count     `json:"repost_count"`
	Replies         count     `json:"reply_count"`
	Quotes          count     `json:"quote_count"`
	Bookmarks       count     `json:"bookmark_count"`
	RetweetedStatus *v11Tweet `json:"retweeted_status"`
	User            struct {
		ID         numeral
		IDStr      numeral `json:"id_str"`
		ScreenName string  `json:"screen_name"`
	}
}

func (t v11Tweet) id() string {
	if t.IDStr != "" {
		return string(t.IDStr)
	}
	return string(t.ID)
}

func (t v11Tweet) post() Post {
	text := t.FullText
	if text == "" {
		text = t.Text
	}
	p := xPost(t.id(), t.User.ScreenName, text, t.CreatedAt)
	if p.AuthorKey = string(t.User.IDStr); p.AuthorKey == "" {
		p.AuthorKey = string(t.User.ID)
	}
	p.Likes, p.Reposts, p.Replies = t.Likes.n, first(t.Retweets, t.Reposts), t.Replies.n
	p.Quotes, p.Bookmarks = t.Quotes.n, t.Bookmarks.n
	if o := t.RetweetedStatus; o != nil && o.id() != "" {
		original := o.post()
		p.RepostOf, p.Original = original.ID, &original
	}
	return p
}

// v11Read reads either form of the list.
func v11Read(a Answer, _ []string) (map[string]Post, map[string]string, error) {
	rows, reasons, ok := v11Rows(a)
	if !ok {
		return nil, nil, xRefusal(a)
	}
	posts := map[string]Post{}
	for _, row := range rows {
		var t v11Tweet
		if shape(row) != '{' || !decode(row, &t) || t.id() == "" {
			return nil, nil, strange(a, "a post without an id")
		}
		posts[t.id()] = t.post()
	}
	return posts, reasons, nil
}

// v11Rows takes the answer apart into posts and what it says of others. It knows
// a list, a map, a search and a single post; it is false for anything else.
func v11Rows(a Answer) (rows []json.RawMessage, reasons map[string]string, ok bool) {
	if a.Status == 404 && v11None(a) {
		return nil, nil, true
	}
	if a.Status != 200 {
		return nil, nil, false
	}
	if shape(a.Body) == '[' {
		return rows, nil, decode(a.Body, &rows)
	}
	var object struct{ ID, Statuses json.RawMessage }
	if shape(a.Body) != '{' || !decode(a.Body, &object) {
		return nil, nil, false
	}
	switch {
	case shape(object.ID) == '{':
		return v11Map(object.ID)
	case shape(object.Statuses) == '[':
		return rows, nil, decode(object.Statuses, &rows)
	case object.ID != nil && shape(object.ID) != 'n':
		return []json.RawMessage{a.Body}, nil, true
	}
	return nil, nil, false
}

// v11Map reads {"20": post, "21": null}.
func v11Map(raw json.RawMessage) (rows []json.RawMessage, reasons map[string]string, ok bool) {
	var byID map[string]json.RawMessage
	if !decode(raw, &byID) || len(byID) == 0 { // It names every id that was asked for, so an empty one answers nothing.
		return nil, nil, false
	}
	reasons = map[string]string{}
	for id, row := range byID {
		if shape(row) == 'n' {
			reasons[id] = NotFound
		} else {
			rows = append(rows, row)
		}
	}
	return rows, reasons, true
}

// v11None distinguishes the 404 that means "none of these" from one that means there is
// nothing at this address.
func v11None(a Answer) bool {
	var answer xAnswer
	if !decode(a.Body, &answer) || len(answer.Errors) == 0 {
		return false
	}
	for _, p := range answer.Errors {
		if p.Code != 17 && p.Code != 144 {
			return false
		}
	}
	return true
}
