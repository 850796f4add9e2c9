package posts

import (
	"context"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// A Post is one that is followed, as pages show it.
type Post struct {
	Network, Title   string // As in addresses, and as people say.
	Host, ID         string
	URL              string // The original; "" where its address is none to link to.
	Author, Text     string
	Member           string // Whose it is, as in addresses; "" where that is nobody here.
	MemberName       string
	Repost           bool
	Created, Added   time.Time
	Seen             time.Time // When the network last gave its numbers; zero if never.
	Fetched          time.Time // When it last answered at all.
	Next             time.Time // Zero: never again.
	Requested        time.Time // The newest press of "Refresh now".
	MissingSince     time.Time
	Missing, Fetches int
	Attempts         int // Failures in a row.
	State, LastError string
	Numbers          Numbers
	Tier             Tier // Zero when it is older than all.
	Line             []charts.SparkPoint
	Due              bool // It is about to be fetched.
}

// A Tier is how often posts of an age are fetched.
type Tier struct{ Under, Every time.Duration }

// Numbers are a post's numbers; nil is one that its network did not give.
type Numbers struct {
	Likes, Reposts, Replies, Quotes, Bookmarks, Views *int64
}

// A namedNumber is one of them with what it counts.
type namedNumber struct {
	name  string // Of its column in data.
	n     *int64
	title string
	count func(context.Context, int) string
}

// What numbers count.
func likes(ctx context.Context, n int) string     { return texts.N(ctx, n, "like", "likes") }
func reposts(ctx context.Context, n int) string   { return texts.N(ctx, n, "repost", "reposts") }
func replies(ctx context.Context, n int) string   { return texts.N(ctx, n, "reply", "replies") }
func quotes(ctx context.Context, n int) string    { return texts.N(ctx, n, "quote", "quotes") }
func bookmarks(ctx context.Context, n int) string { return texts.N(ctx, n, "bookmark", "bookmarks") }
func views(ctx context.Context, n int) string     { return texts.N(ctx, n, "view", "views") }

func (n Numbers) all() []namedNumber {
	return []namedNumber{
		{"likes", n.Likes, texts.Mark("likes"), likes},
		{"reposts", n.Reposts, texts.Mark("reposts"), reposts},
		{"replies", n.Replies, texts.Mark("replies"), replies},
		{"quotes", n.Quotes, texts.Mark("quotes"), quotes},
		{"bookmarks", n.Bookmarks, texts.Mark("bookmarks"), bookmarks},
		{"views", n.Views, texts.Mark("views"), views},
	}
}

// known are those that the network gave.
func (n Numbers) known() (known []namedNumber) {
	for _, x := range n.all() {
		if x.n != nil {
			known = append(known, x)
		}
	}
	return known
}

// noun is what a known number counts: "like" of 1.
func (x namedNumber) noun(ctx context.Context) string { return x.count(ctx, int(*x.n)) }

// Path is the address of a post's page.
func Path(network, host, id string) string {
	path := "/posts/" + network + "/" + url.PathEscape(id)
	if host != "" {
		path += "?host=" + url.QueryEscape(host)
	}
	return path
}

func pathOf(p Post) string { return Path(p.Network, p.Host, p.ID) }

// postSheet is the address of every check of a post, for programs.
func postSheet(p Post, format string) string {
	mark := "?"
	if p.Host != "" {
		mark = "&"
	}
	return pathOf(p) + mark + "format=" + format
}

// place is the network, with its host where it has many.
func (p Post) place() string {
	if p.Host != "" {
		return p.Title + " (" + p.Host + ")"
	}
	return p.Title
}

// where is the network, with its host where nothing else beside it says that.
func (p Post) where() string {
	if strings.HasSuffix(p.Author, "@"+p.Host) {
		return p.Title
	}
	return p.place()
}

// Heading is what a post's own page is called.
func (p Post) Heading(ctx context.Context) string {
	switch {
	case p.MemberName != "":
		return texts.T(ctx, "Post by %s", p.MemberName)
	case p.Author != "":
		return texts.T(ctx, "Post by %s", p.by())
	}
	return texts.T(ctx, "Post on %s", p.Title)
}

// called is what a list calls a post: how it begins.
func (p Post) called(ctx context.Context) string {
	text := strings.Join(strings.Fields(p.Text), " ")
	if text == "" {
		id := p.ID[strings.LastIndexByte(p.ID, '/')+1:]
		return texts.T(ctx, "Post %s on %s", id, p.Title)
	}
	return excerpt(text, 160)
}

// excerpt cuts a text between words.
func excerpt(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	cut := string([]rune(text)[:most])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

// by is who wrote it.
func (p Post) by() string {
	if p.Author == "" {
		return ""
	}
	return "@" + strings.TrimPrefix(p.Author, "@")
}

// seen says how fresh the numbers are.
func (p Post) seen(ctx context.Context, now time.Time) string {
	if p.Seen.IsZero() {
		return texts.T(ctx, "no numbers yet")
	}
	return texts.T(ctx, "checked %s", texts.Ago(ctx, p.Seen, now))
}

// mood of a post, as of an account.
func (p Post) mood() string {
	switch {
	case p.State == "gone", p.State == "invalid":
		return parts.Bad
	case p.State == "finished":
		return ""
	case p.State != "active", p.Missing > 0, p.Attempts > 0, p.Seen.IsZero():
		return parts.Wait
	}
	return parts.Good
}

// shape distinguishes states without colour.
func (p Post) shape() string {
	switch p.State {
	case "finished":
		return "■"
	case "gone", "invalid":
		return "✕"
	case "protected":
		return "◇"
	}
	return parts.Shapes[p.mood()]
}

// postStates are the states that are one word.
var postStates = map[string]string{"finished": texts.Mark("final"), "gone": texts.Mark("deleted"), "protected": texts.Mark("protected"),
	"invalid": texts.Mark("not found"), "paused": texts.Mark("paused")}

// stateWord is a post's state in a word or two.
func (p Post) stateWord(ctx context.Context) string {
	switch {
	case postStates[p.State] != "":
		return texts.Say(ctx, postStates[p.State])
	case p.Missing > 0:
		return texts.T(ctx, "missing")
	case p.Attempts > 0:
		return texts.T(ctx, "failing")
	case p.Seen.IsZero():
		return texts.T(ctx, "new")
	}
	return texts.T(ctx, "tracking")
}
