package handlers

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
	"laurel/views"
)

const (
	messagesShown = 30
	searchLetters = 200 // Of what is looked for.
)

// forumsFrame is the frame of a page with the styles of forums.
func (h *Handlers) forumsFrame(c echo.Context, title string) views.Frame {
	f := h.frame(c, title)
	f.Forums = true
	return f
}

// Forums lists the forums, and the newest messages of all or those looked for.
func (h *Handlers) Forums(c echo.Context) error {
	ctx := c.Request().Context()
	p := views.Forums{Frame: h.forumsFrame(c, "Forums"), Now: h.Now().In(h.viewerZone(c)), Search: searched(c)}
	all, err := h.forumViews(ctx)
	if err != nil {
		return err
	}
	p.Forums = all
	f := models.MessageFilter{Words: p.Search}
	if kind, key, ok := strings.Cut(c.QueryParam("about"), ":"); ok && kind != "" && key != "" {
		f.RefKind, f.RefKey, p.AboutRef = kind, key, c.QueryParam("about")
		p.About = kind + " " + key
	}
	if p.Messages, p.Older, p.Newest, err = h.messagePage(c, f); err != nil {
		return err
	}
	return render(c, http.StatusOK, views.ForumsPage(p))
}

// searched are the words that a page's form looks for.
func searched(c echo.Context) string {
	words := []rune(strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(c.QueryParam("q"), "\x00", ""), "")))
	return string(words[:min(len(words), searchLetters)])
}

// messagePage is a page of a list of messages, with the addresses of the next and
// of the first one.
func (h *Handlers) messagePage(c echo.Context, f models.MessageFilter) (list []views.Letter, older, newest string, err error) {
	f.Since = -1
	if f.After, err = models.ParseCursor(c.QueryParam("after")); err != nil {
		return nil, "", "", err
	}
	found, next, err := models.Messages(c.Request().Context(), h.DB.DB, f, messagesShown)
	if err != nil {
		return nil, "", "", err
	}
	for i := range found {
		list = append(list, letter(&found[i]))
	}
	if f.After != (models.Cursor{}) {
		q := c.QueryParams()
		q.Del("after")
		newest = c.Request().URL.Path
		if len(q) > 0 {
			newest += "?" + q.Encode()
		}
	}
	return list, pageAddress(c, "after", next), newest, nil
}

func letter(m *models.Message) views.Letter {
	return views.Letter{Serial: m.Serial, Forum: m.Forum, ForumName: m.ForumName, Author: m.Author, Member: m.Member, Subject: m.Subject, Excerpt: excerpt(m.Body), Sent: deref(m.SentAt), Approximate: m.Approximate}
}

// excerpt is what was written, without what is quoted.
func excerpt(text string) string {
	var own []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ">") {
			own = append(own, line)
		}
	}
	return strings.Join(own, " ")
}

// forumViews are all forums with their last runs.
func (h *Handlers) forumViews(ctx context.Context) ([]views.Forum, error) {
	all, err := models.Forums(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	runs, err := models.LastRuns(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	missing, err := models.MissingByForum(ctx, h.DB.DB)
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

func (h *Handlers) forumView(f *models.Forum, run models.Run) views.Forum {
	return views.Forum{Slug: f.Slug, Name: f.Name, Kind: f.Kind, URL: f.URL, State: f.State, Running: f.LeasedUntil != nil && f.LeasedUntil.After(h.Now()), Kicked: f.KickedAt != nil,
		Messages: f.Messages, LookedAt: deref(f.LookedAt), NextRun: deref(f.NextRunAt), Outcome: f.Outcome, Message: f.Message, Robots: f.Robots,
		Duplicates: f.Duplicates, Requests: int(f.Requests), NotModified: int(f.NotModified),
		Run: views.ForumRun{Why: run.Why, Started: run.StartedAt, Ended: deref(run.EndedAt), Requests: run.Requests, NotModified: run.NotModified, New: run.New, Duplicates: run.Duplicates,
			Missing: run.Missing, Outcome: run.Outcome, Message: run.Message}}
}

// Forum shows one forum: its discussions, and what is missing of its archive.
func (h *Handlers) Forum(c echo.Context) error {
	ctx := c.Request().Context()
	f, err := models.ForumBySlug(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	p := views.ForumPage{Frame: h.forumsFrame(c, f.Name), Now: h.Now().In(h.viewerZone(c)), Forum: h.forumView(&f, models.Run{}), Search: searched(c)}
	p.Frame.Feed = feedAddress(f.Slug)
	list, older, newest, err := h.messagePage(c, models.MessageFilter{Forum: f.Slug, Words: p.Search})
	if err != nil {
		return err
	}
	p.Threads, p.Older, p.Newest = threads(list, p.Search == ""), older, newest
	periods, err := models.ForumPeriods(ctx, h.DB.DB, f.ID)
	if err != nil {
		return err
	}
	p.Periods = len(periods)
	for _, x := range periods {
		if x.Stored < x.Listed {
			p.Gaps = append(p.Gaps, views.Gap{Period: x.Period, Listed: x.Listed, Stored: x.Stored, Checked: deref(x.CheckedAt)})
		}
	}
	return render(c, http.StatusOK, views.OneForumPage(p))
}

// threads puts the messages of a page that have one subject together, in the order
// of the newest of each.
func threads(list []views.Letter, together bool) (all []views.Thread) {
	at := map[string]int{}
	for _, l := range list {
		subject := models.PlainSubject(l.Subject)
		i, known := at[subject]
		if !known || !together || subject == "" {
			at[subject] = len(all)
			all = append(all, views.Thread{Subject: l.Subject, Letters: []views.Letter{l}})
			continue
		}
		all[i].Letters = append(all[i].Letters, l)
	}
	return all
}

func feedAddress(slug string) string { return "/forums/" + slug + "/feed.atom" }

// sent is when a message was sent, or stored where that is not known.
func sent(m *models.Message) time.Time {
	if m.SentAt == nil {
		return m.StoredAt.UTC()
	}
	return m.PlacedAt.UTC() // Never in the future.
}
