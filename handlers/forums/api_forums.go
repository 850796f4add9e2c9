package forums

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
)

// apiForum is a forum as the interface shows it.
type apiForum struct {
	Slug       string     `json:"slug"`
	Name       string     `json:"name"`
	Kind       string     `json:"kind"`
	URL        string     `json:"url"`
	State      string     `json:"state"`
	Running    bool       `json:"running"`
	KickedAt   *time.Time `json:"kicked_at"`
	CoveredAt  *time.Time `json:"looked_at"`
	NextRunAt  *time.Time `json:"next_run_at"`
	Outcome    string     `json:"outcome"`
	Message    string     `json:"message"`
	Robots     string     `json:"robots"`
	GapSeconds float64    `json:"gap_seconds"`
	Messages   int        `json:"messages"`
	Duplicates int        `json:"duplicates"`
	Requests   int64      `json:"requests"`
	Unmodified int64      `json:"not_modified"`
}

func (h *Handlers) showForum(f forums.Forum) apiForum {
	return apiForum{f.Slug, f.Name, f.Kind, f.URL, f.State, f.LeasedUntil != nil && f.LeasedUntil.After(h.Now()), f.KickedAt, f.CoveredAt,
		f.NextRunAt, f.Outcome, f.Message, f.Robots, f.Gap().Seconds(), f.Messages, f.Duplicates, f.Requests, f.NotModified}
}

// APIList lists the forums by name.
func (h *Handlers) APIList(c echo.Context) error {
	all, err := forums.All(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	return web.SendList(c, all, "", h.showForum)
}

type forumInput struct {
	Slug string `json:"slug"`
	Kind string `json:"kind"`
	URL  string `json:"url"`
	Name string `json:"name"`
	From string `json:"from"`
}

// APIAdd adds a forum, which is harvested at once.
func (h *Handlers) APIAdd(c echo.Context) error {
	var in forumInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	f, made, err := forums.Add(c.Request().Context(), h.DB.DB,
		forums.New{Slug: in.Slug, Name: in.Name, Kind: in.Kind, URL: in.URL, From: in.From, AddedBy: h.Viewer(c).Name}, h.ForumKinds,
		h.Now())
	if err != nil {
		return err
	}
	status := http.StatusOK
	if made {
		status = http.StatusCreated
	}
	return c.JSON(status, h.showForum(f))
}

// APIShow shows a forum with its periods and its newest runs.
func (h *Handlers) APIShow(c echo.Context) error {
	ctx := c.Request().Context()
	f, err := forums.BySlug(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, h.showForum(f))
}

type kickInput struct {
	Burst bool `json:"burst"`
	Again bool `json:"again"`
}

// APIKick has a forum read at once.
func (h *Handlers) APIKick(c echo.Context) error {
	var in kickInput
	if c.Request().ContentLength != 0 {
		if err := web.Decode(c, &in); err != nil {
			return err
		}
	}
	f, err := forums.Kick(c.Request().Context(), h.DB.DB, c.Param("slug"), in.Burst, in.Again, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, h.showForum(f))
}

// APIUpdate changes what an admin may change of a forum.
func (h *Handlers) APIUpdate(c echo.Context) error {
	var in struct {
		State *string `json:"state"`
		GapMs *int    `json:"gap_ms"`
		From  *string `json:"from"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if in.State == nil && in.GapMs == nil && in.From == nil {
		return &pg.InputError{Field: "state", Message: "nothing to change: give state, gap_ms or from"}
	}
	f, err := forums.Change(c.Request().Context(), h.DB.DB, c.Param("slug"), forums.Edit(in), h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, h.showForum(f))
}

type apiMessage struct {
	Serial      int64          `json:"serial"`
	Forum       string         `json:"forum"`
	URL         string         `json:"url"`
	MessageID   string         `json:"message_id"`
	InReplyTo   string         `json:"in_reply_to"`
	Author      string         `json:"author"`
	Address     string         `json:"address"`
	Member      string         `json:"member"`
	Selectand   string         `json:"selectand"`
	Subject     string         `json:"subject"`
	SentAt      *time.Time     `json:"sent_at"`
	SentShown   string         `json:"sent_shown"`
	Approximate bool           `json:"approximate"`
	Excerpt     string         `json:"excerpt"`
	References  []apiReference `json:"references"`
	StoredAt    time.Time      `json:"stored_at"`
}

type apiReference struct {
	Kind string `json:"kind"`
	Key  string `json:"key"`
	URL  string `json:"url"`
}

func showMessage(m forums.Message, asking members.Viewer) apiMessage {
	out := apiMessage{Serial: m.Serial, Forum: m.Forum, URL: m.URL, MessageID: m.MessageID, InReplyTo: m.InReplyTo, Author: m.Author,
		Address: m.Address, Member: m.Member, Selectand: m.Selectand,
		Subject: m.Subject, SentAt: m.SentAt, SentShown: m.SentShown, Approximate: m.Approximate, Excerpt: m.Body,
		References: []apiReference{}, StoredAt: m.StoredAt.UTC()}
	for _, r := range m.References(asking) {
		out.References = append(out.References, apiReference(r))
	}
	return out
}

// APIMessages lists messages, the newest first; with since_serial those stored
// after it, in the order in which they were stored.
func (h *Handlers) APIMessages(c echo.Context) error {
	return h.sendMessages(c, forums.Filter{Since: -1})
}

// APIMemberMessages lists what a member wrote.
func (h *Handlers) APIMemberMessages(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	return h.sendMessages(c, forums.Filter{Since: -1, MemberID: m.ID})
}

func (h *Handlers) sendMessages(c echo.Context, f forums.Filter) error {
	ctx := c.Request().Context()
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	if err := h.readFilter(c, &f); err != nil {
		return err
	}
	list, next, err := forums.Messages(ctx, h.DB.DB, f, limit)
	if err != nil {
		return err
	}
	after := next.String()
	if f.Since >= 0 && next.ID != 0 {
		after = strconv.FormatInt(next.ID, 10)
	}
	return web.SendList(c, list, after, func(m forums.Message) apiMessage { return showMessage(m, members.Asking(ctx)) })
}

// readFilter reads which messages are wanted.
func (h *Handlers) readFilter(c echo.Context, f *forums.Filter) error {
	ctx := c.Request().Context()
	if f.Forum = c.QueryParam("forum"); f.Forum != "" {
		if _, err := forums.BySlug(ctx, h.DB.DB, f.Forum); err != nil {
			return &pg.InputError{Field: "forum", Message: "no forum is named " + strconv.Quote(f.Forum)}
		}
	}
	if name := c.QueryParam("member"); name != "" && f.MemberID == 0 {
		m, err := members.ByName(ctx, h.DB.DB, name)
		if err != nil {
			return &pg.InputError{Field: "member", Message: "no member is named " + strconv.Quote(name)}
		}
		f.MemberID = m.ID
	}
	if ref := c.QueryParam("reference"); ref != "" {
		kind, key, ok := strings.Cut(ref, ":")
		if !ok || kind == "" || key == "" {
			return &pg.InputError{Field: "reference",
				Message: "a reference is a kind and a key, such as problem:codeforces/4A or member:ada"}
		}
		f.RefKind, f.RefKey = kind, key
	}
	f.Words = c.QueryParam("q")
	return readPlace(c, f)
}

// readPlace reads from where on messages are wanted.
func readPlace(c echo.Context, f *forums.Filter) (err error) {
	if text := c.QueryParam("since_serial"); text != "" {
		if f.Since, err = strconv.ParseInt(text, 10, 64); err != nil || f.Since < 0 {
			return &pg.InputError{Field: "since_serial", Message: "a serial is a whole number, 0 or more"}
		}
	}
	cursor := c.QueryParam("cursor")
	if f.Since >= 0 && cursor != "" {
		if f.Since, err = strconv.ParseInt(cursor, 10, 64); err != nil || f.Since < 0 {
			return pg.ErrCursor
		}
		return nil
	}
	f.After, err = pg.ParseCursor(cursor)
	return err
}
