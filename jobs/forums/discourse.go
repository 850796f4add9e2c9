package forums

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Discourse is read by /posts.json, which shows the newest posts of all topics,
// and with ?before=N those whose number is N or less: numbers only grow, so that
// is a stable way back (app/controllers/posts_controller.rb). A page may be empty
// and not the last one: what the public may not see is taken out after it was
// counted, and up to 2023 or so a page was a window of 50 numbers.
//
// Posts are edited and deleted. Nothing here is static.
type discourse struct{}

func init() { register(discourse{}) }

const (
	window   = 50  // Numbers that an empty page stands for.
	maxEmpty = 200 // Pages in a row; a forum of which 10,000 posts in a row are hidden is at its beginning.
)

func (discourse) Info() Info {
	return Info{Name: "discourse", Title: "Discourse", Hint: "https://forum.example.org/", Gap: time.Second}
}

func (discourse) Start(base string) (Step, error) {
	base, err := directory(base)
	return Step{Address: base + "posts.json", What: Root, Base: base}, err
}

func (discourse) Read(s Step, a Answer) (Found, error) {
	raw, err := body(a)
	if err != nil {
		return Found{}, err
	}
	switch s.What {
	case Root, Page:
		return readPosts(s, raw)
	case Message:
		var p post
		if err := decode(raw, &p); err != nil {
			return Found{}, err
		}
		m, ok := p.mail(s.Base)
		if number := digits(s.Address, "/posts/"); !ok || number != 0 && number != m.Number {
			return Found{}, fmt.Errorf("%w: not the post asked for", ErrFormat)
		}
		return Found{Messages: []Mail{m}, Complete: true}, nil
	}
	return Found{}, fmt.Errorf("%w: discourse has no %q", ErrFormat, s.What)
}

// digits returns the number that follows a part of an address, 0 for none.
func digits(address, part string) int {
	_, rest, _ := strings.Cut(address, part)
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		rest = rest[:end]
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return 0
	}
	return n
}

func readPosts(s Step, raw []byte) (Found, error) {
	var page struct {
		Posts *[]json.RawMessage `json:"latest_posts"`
	}
	if err := decode(raw, &page); err != nil {
		return Found{}, err
	}
	if page.Posts == nil || len(*page.Posts) > maxListed {
		return Found{}, fmt.Errorf("%w: no list of posts", ErrFormat)
	}
	f, before := Found{}, digits(s.Address, "before=")
	seen := map[int]bool{}
	for _, item := range *page.Posts {
		var p post
		err := decode(item, &p)
		m, ok := p.mail(s.Base)
		if !ok && p.ID <= 0 {
			f.brokenPost(s, before, err)
			continue
		}
		if before > 0 && p.ID > before { // Else the way back would never end.
			return Found{}, fmt.Errorf("%w: post %d before %d", ErrFormat, p.ID, before)
		}
		f.cover(p.ID)
		switch {
		case seen[p.ID]:
		case !ok: // By itself it may be well.
			f.Listed = append(f.Listed, listedPost(s.Base, p.ID))
		default:
			f.Messages = append(f.Messages, m)
		}
		seen[p.ID] = true
	}
	if len(f.Messages) == 0 && len(f.Listed)+len(f.Broken) > 0 {
		return Found{}, fmt.Errorf("%w: no post has number, text and topic", ErrFormat)
	}
	f.olderPosts(s, before)
	return f, nil
}

// cover takes a number into the range that the page covers.
func (f *Found) cover(id int) {
	if f.Low == 0 || id < f.Low {
		f.Low = id
	}
	f.High = max(f.High, id)
}

// listedPost is a post of which only the number is known.
func listedPost(base string, id int) Listed {
	address := fmt.Sprintf("%sposts/%d.json", base, id)
	return Listed{URL: address, Address: address, Number: id}
}

// brokenPost notes one without even a number: it is searched for later
// where it is now, behind the last that does.
func (f *Found) brokenPost(s Step, before int, err error) {
	step := Step{Address: s.Base + "posts.json", What: Page, Base: s.Base}
	if f.Low > 1 {
		before = f.Low - 1
	}
	if before > 0 {
		step.Address = fmt.Sprintf("%sposts.json?before=%d", s.Base, before)
	}
	f.Broken = append(f.Broken, Broken{step, fmt.Sprintf("a post without number, text or topic: %v", err)})
}

// olderPosts finds out where the next page begins.
func (f *Found) olderPosts(s Step, before int) {
	next, empty := f.Low-1, 0
	if f.Low == 0 {
		next, empty = before-window, s.Empty+1
	} else {
		f.High = max(f.High, before)
	}
	switch {
	case f.Low == 0 && before == 0: // Nothing shows where the others begin.
		f.Note = "the forum shows no posts"
	case next <= 0:
		f.Complete = true
	case empty > maxEmpty:
		f.Note = fmt.Sprintf("no posts from %d to %d: taken for the beginning", next, before+s.Empty*window)
		f.Complete = true
	default:
		f.Steps = []Step{{Address: fmt.Sprintf("%sposts.json?before=%d", s.Base, next), What: Page, Base: s.Base, Empty: empty}}
	}
}

// Detour asks for the posts of a page one by one. Nothing shows which of their
// numbers exist.
func (discourse) Detour(s Step) (instead Found, left, ok bool) {
	before := digits(s.Address, "before=")
	if s.What != Page || before == 0 {
		return Found{}, false, false
	}
	instead.Guessed, instead.Complete = true, before <= window
	for id := before; id > max(before-window, 0); id-- {
		instead.Listed = append(instead.Listed, listedPost(s.Base, id))
	}
	if !instead.Complete {
		instead.Steps = []Step{{Address: fmt.Sprintf("%sposts.json?before=%d", s.Base, before-window), What: Page, Base: s.Base}}
	}
	return instead, false, true
}

// Return is the same step: numbers do not shift.
func (discourse) Return(s Step, _ int) Step { return s }

// A post as PostSerializer writes it.
type post struct {
	ID          int
	Name        *string
	Username    string
	Created     string `json:"created_at"`
	Updated     string `json:"updated_at"`
	Cooked      *string
	Raw         *string
	Number      int    `json:"post_number"`
	ReplyTo     *int   `json:"reply_to_post_number"`
	Topic       int    `json:"topic_id"`
	Title       string `json:"topic_title"`
	Version     int
	Wiki        bool
	Hidden      bool
	UserDeleted bool    `json:"user_deleted"`
	Deleted     *string `json:"deleted_at"`
}

func (p post) mail(base string) (Mail, bool) {
	if p.ID <= 0 || p.Topic <= 0 || p.Number <= 0 || p.Raw == nil && p.Cooked == nil {
		return Mail{}, false
	}
	u, err := url.Parse(base)
	if err != nil {
		return Mail{}, false
	}
	thread := fmt.Sprintf("%st/%d", base, p.Topic)
	m := Mail{
		URL: fmt.Sprintf("%s/%d", thread, p.Number), Thread: thread, Number: p.ID,
		// What Discourse itself puts into the mail it sends; it stays when a post moves to another topic.
		MessageID: fmt.Sprintf("discourse/post/%d@%s", p.ID, u.Hostname()),
		Subject:   line(p.Title), Author: line(p.Username), Version: max(p.Version, 0), Wiki: p.Wiki,
		Deleted: p.Hidden || p.UserDeleted || p.Deleted != nil,
	}
	m.setAddress(p.Username)
	if p.Name != nil && line(*p.Name) != "" {
		m.Author = line(*p.Name)
	}
	if p.ReplyTo != nil && *p.ReplyTo > 0 {
		m.Parent = fmt.Sprintf("%s/%d", thread, *p.ReplyTo)
	}
	m.setDate(p.Created)
	if d, ok := readDate(p.Updated); ok {
		m.UpdatedAt = d.at
	}
	p.write(&m)
	return m, true
}

// write sets the words of a message and the links in them.
func (p post) write(m *Mail) {
	if p.Raw != nil {
		m.setBody(*p.Raw)
	} else {
		m.HTML = true
		m.setBody(plainText(*p.Cooked))
	}
	if p.Cooked != nil { // What is written as [this](address), too.
		m.link(*p.Cooked)
	}
}

var anchor = regexp.MustCompile(`(?i)<a\s[^>]*?href="(https?://[^"\s]+)"`)

// link adds the addresses that links of a piece of HTML lead to.
func (m *Mail) link(source string) {
	var text strings.Builder
	for _, l := range m.Links {
		text.WriteString(l + " ")
	}
	for _, found := range anchor.FindAllStringSubmatch(source, maxLinks) {
		text.WriteString(plainText(found[1]) + " ")
	}
	m.Links = linksIn(text.String())
}

var (
	generator = regexp.MustCompile(`(?i)<meta\s+name="generator"\s+content="Discourse `)
	baseURI   = regexp.MustCompile(`data-base-uri="(/[^"?#]*)"`)
)

// Detect knows any page by its generator, and /site.json and /posts.json.
func (discourse) Detect(at *url.URL, a Answer) (string, bool) {
	base := *at
	base.RawQuery, base.RawPath, base.Path = "", "", "/"
	if generator.Match(a.Body) {
		if m := baseURI.FindSubmatch(a.Body); m != nil {
			base.Path = string(m[1])
		}
		b, err := directory(base.String())
		return b, err == nil
	}
	var site struct {
		Trust  any `json:"trust_levels"`
		Types  any `json:"post_action_types"`
		Latest any `json:"latest_posts"`
		Topics any `json:"topic_list"`
		Stream any `json:"post_stream"`
	}
	if decode(a.Body, &site) != nil || (site.Trust == nil || site.Types == nil) && site.Latest == nil && site.Topics == nil &&
		site.Stream == nil {
		return "", false
	}
	for _, part := range []string{"/site.json", "/posts.json", "/latest.json", "/t/"} {
		if before, _, ok := strings.Cut(at.Path, part); ok {
			base.Path = before + "/"
			break
		}
	}
	b, err := directory(base.String())
	return b, err == nil
}
