package forums

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	views "laurel/views/forums"
	"laurel/views/texts"
)

const (
	messagesShown = 30
	searchLetters = 200 // Of what is searched.
)

// Index lists the threads of all forums, or the messages that are searched for.
func (h *Handlers) Index(c echo.Context) error {
	ctx := c.Request().Context()
	p := views.Index{Frame: h.ForumsFrame(c, texts.T(ctx, "Discussions")), Now: h.Now().In(h.ViewerZone(c)), Search: searched(c)}
	all, err := h.forumViews(ctx)
	if err != nil {
		return err
	}
	p.Forums = all
	f := forums.Filter{Words: p.Search}
	if kind, key, ok := aboutWhat(c); ok {
		f.RefKind, f.RefKey, p.AboutRef = kind, key, kind+":"+key
		p.About, p.AboutFeed = views.About(ctx, kind, key), aboutFeedAddress(p.AboutRef)
		p.Frame.Feed = p.AboutFeed
	}
	if p.Search == "" && p.About == "" {
		p.Threads, p.Older, p.Newest, err = h.threadPage(c, 0)
	} else {
		p.Messages, p.Older, p.Newest, err = h.messagePage(c, f)
	}
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.IndexPage(p))
}

// aboutWhat is the thing by which messages are wanted: ?about=problem:codeforces/4A.
func aboutWhat(c echo.Context) (kind, key string, ok bool) {
	kind, key, ok = strings.Cut(strings.ToValidUTF8(strings.ReplaceAll(c.QueryParam("about"), "\x00", ""), ""), ":")
	return kind, key, ok && kind != "" && key != ""
}

// searched are the words that a page's form searches for.
func searched(c echo.Context) string {
	words := []rune(strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(c.QueryParam("q"), "\x00", ""), "")))
	return string(words[:min(len(words), searchLetters)])
}

// messagePage is a page of a list of messages, with the addresses of the next and
// of the first one.
func (h *Handlers) messagePage(c echo.Context, f forums.Filter) (list []views.Letter, older, newest string, err error) {
	f.Since, f.Mark = -1, true
	if f.After, err = pg.ParseCursor(c.QueryParam("after")); err != nil {
		return nil, "", "", err
	}
	found, next, err := forums.Messages(c.Request().Context(), h.DB.DB, f, messagesShown)
	if err != nil {
		return nil, "", "", err
	}
	for i := range found {
		l := letter(&found[i])
		if f.Words != "" {
			l.Marked = marks(found[i].Body)
		}
		list = append(list, l)
	}
	if f.After != (pg.Cursor{}) {
		q := c.QueryParams()
		q.Del("after")
		newest = c.Request().URL.Path
		if len(q) > 0 {
			newest += "?" + q.Encode()
		}
	}
	return list, web.PageAddress(c, "after", next), newest, nil
}

func letter(m *forums.Message) views.Letter {
	return views.Letter{Serial: m.Serial, Forum: m.Forum, ForumName: m.ForumName, Author: m.Author, Member: m.Member,
		Subject: m.Subject, Excerpt: excerpt(m.Body), Sent: web.Deref(m.SentAt), Approximate: m.Approximate}
}

// marks cuts a text where the database has put marks around words.
func marks(text string) (all []views.Mark) {
	for i, part := range strings.Split(text, forums.MarkBegin) {
		hit, rest, closed := strings.Cut(part, forums.MarkEnd)
		if i > 0 && closed {
			all, part = append(all, views.Mark{Text: hit, Hit: true}), rest
		}
		if part != "" {
			all = append(all, views.Mark{Text: part})
		}
	}
	return all
}

// excerpt is what was written, without what is quoted, and without the line that says
// who is quoted.
func excerpt(text string) string {
	var own []string
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case line == "":
		case !strings.HasPrefix(line, ">"):
			own = append(own, line)
		case len(own) > 0 && strings.HasSuffix(own[len(own)-1], ":"):
			own = own[:len(own)-1]
		}
	}
	return strings.Join(own, " ")
}

// forumViews are all forums with their last runs.
func (h *Handlers) forumViews(ctx context.Context) ([]views.Forum, error) {
	all, err := forums.All(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	runs, err := forums.LastRuns(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	missing, err := forums.Missing(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	list := make([]views.Forum, len(all))
	for i := range all {
		list[i] = h.forumView(&all[i], runs[all[i].ID])
		list[i].Missing = missing[all[i].ID]
	}
	return list, nil
}

func (h *Handlers) forumView(f *forums.Forum, run forums.Run) views.Forum {
	return views.Forum{Slug: f.Slug, Name: f.Name, Kind: f.Kind, URL: f.URL, State: f.State, Running: f.LeasedUntil != nil &&
		f.LeasedUntil.After(h.Now()), Kicked: f.KickedAt != nil || f.NextRunAt != nil && !f.NextRunAt.After(h.Now()),
		Messages: f.Messages, Covered: web.Deref(f.CoveredAt), NextRun: web.Deref(f.NextRunAt), Outcome: f.Outcome, Message: f.Message,
		Robots:     f.Robots,
		Duplicates: f.Duplicates, Requests: int(f.Requests), NotModified: int(f.NotModified), Gap: f.Gap(),
		BurstAgain: f.BurstAgain(h.Now()), Run: runView(run)}
}

func runView(r forums.Run) views.Run {
	return views.Run{Why: r.Why, Started: r.StartedAt, Ended: web.Deref(r.EndedAt), Requests: r.Requests, NotModified: r.NotModified,
		New: r.New, Duplicates: r.Duplicates, Missing: r.Missing, Outcome: r.Outcome, Message: r.Message}
}

// Show shows one forum: its threads, and what is missing of its archive.
func (h *Handlers) Show(c echo.Context) error {
	ctx := c.Request().Context()
	f, err := forums.BySlug(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	p := views.OneForum{Frame: h.ForumsFrame(c, f.Name), Now: h.Now().In(h.ViewerZone(c)), Forum: h.forumView(&f, forums.Run{}),
		Search: searched(c)}
	p.Frame.Feed = feedAddress(f.Slug)
	if p.Search != "" {
		p.Found, p.Older, p.Newest, err = h.messagePage(c, forums.Filter{Forum: f.Slug, Words: p.Search})
	} else {
		p.Threads, p.Older, p.Newest, err = h.threadPage(c, f.ID)
	}
	if err != nil {
		return err
	}
	periods, err := forums.Periods(ctx, h.DB.DB, f.ID)
	if err != nil {
		return err
	}
	months, err := forums.Months(ctx, h.DB.DB, f.ID)
	if err != nil {
		return err
	}
	p.Periods, p.Gaps = len(periods), gaps(periods)
	p.History = history(months, periods)
	return web.Render(c, http.StatusOK, views.ForumPage(p))
}

// gaps are the periods of which not all is stored.
func gaps(periods []forums.Period) (list []views.Gap) {
	for _, x := range periods {
		if x.Stored < x.Listed {
			list = append(list, views.Gap{Period: x.Period, Listed: x.Listed, Stored: x.Stored, Checked: web.Deref(x.CheckedAt)})
		}
	}
	return list
}

func feedAddress(slug string) string { return "/forums/" + slug + "/feed.atom" }

// sent is when a message was sent, or stored where that is not known.
func sent(m *forums.Message) time.Time {
	if m.SentAt == nil {
		return m.StoredAt.UTC()
	}
	return m.PlacedAt.UTC() // Never in the future.
}
