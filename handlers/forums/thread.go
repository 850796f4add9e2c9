package forums

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	views "laurel/views/forums"
	"laurel/views/parts"
)

const (
	threadsShown     = 25
	threadProblems   = 3  // Of each thread in a list,
	problemsShown    = 10 // and on its own page.
	peopleShown      = 10
	threadLetters    = 50   // Messages on a page of a thread.
	threadLetterText = 3000 // Letters of the text of each.
	threadDepth      = 4
)

// threadPage is a page of the threads of a forum, or of all forums where forum is 0.
func (h *Handlers) threadPage(c echo.Context, forum int64) (list []views.Thread, older, newest string, err error) {
	after, err := pg.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return nil, "", "", err
	}
	found, next, err := forums.Threads(c.Request().Context(), h.DB.DB, forum, after, threadsShown)
	if err != nil {
		return nil, "", "", err
	}
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	problems, err := forums.ThreadProblems(c.Request().Context(), h.DB.DB, ids, threadProblems)
	if err != nil {
		return nil, "", "", err
	}
	for i := range found {
		v := threadView(&found[i])
		v.Problems = h.problemChips(c, problems[found[i].ID])
		list = append(list, v)
	}
	if after != (pg.Cursor{}) {
		newest = c.Request().URL.Path
	}
	return list, web.PageAddress(c, "after", next), newest, nil
}

func threadView(t *forums.Thread) views.Thread {
	return views.Thread{Serial: t.Head, Subject: t.Subject, Author: t.Author, Member: t.Member, MemberID: t.MemberID,
		Forum: t.Forum, ForumName: t.ForumName, Messages: t.Messages, People: t.People,
		First: dated(t.FirstAt), Last: dated(t.LastAt), Slots: t.Slots}
}

// problemChips are links to the pages of problems.
func (h *Handlers) problemChips(c echo.Context, list []forums.ThreadProblem) (chips []parts.Choice) {
	for _, p := range list {
		site, key, _ := strings.Cut(p.Key, "/")
		words := strings.TrimSpace(key + " " + p.Name)
		if p.Name != "" && !h.Site(c, site).KeyInName {
			words = p.Name
		}
		chips = append(chips, parts.Choice{Value: parts.ProblemPath(site, key), Text: words})
	}
	return chips
}

// writers are those who wrote most in a thread.
func writers(lines []forums.MessageLine) (list []views.Writer) {
	at := map[string]int{}
	for i := range lines {
		l := &lines[i]
		key := cmp.Or(l.Member, "\x00"+l.Author)
		n, known := at[key]
		if !known {
			n = len(list)
			at[key], list = n, append(list, views.Writer{Name: l.Author, Member: l.Member, ID: l.MemberID})
		}
		list[n].Messages++
	}
	slices.SortStableFunc(list, func(a, b views.Writer) int { return b.Messages - a.Messages })
	return list[:min(len(list), peopleShown)]
}

// dated is a time at which something is in lists, zero where that is the end
// because no date was understood.
func dated(t time.Time) time.Time {
	if t.Year() <= 1 {
		return time.Time{}
	}
	return t
}

// Thread shows a discussion in order of reply.
func (h *Handlers) Thread(c echo.Context) error {
	ctx := c.Request().Context()
	f, err := forums.BySlug(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	serial, err := strconv.ParseInt(c.Param("serial"), 10, 64)
	if err != nil || serial < 1 {
		return pg.ErrNotFound
	}
	t, err := forums.ThreadBySerial(ctx, h.DB.DB, f.ID, serial)
	if err != nil {
		return err
	}
	if t.Head != serial { // A message further down, or an older one is known by now.
		return c.Redirect(http.StatusFound, threadAddress(f.Slug, t.Head))
	}
	lines, err := forums.ThreadLines(ctx, h.DB.DB, t.ID)
	if err != nil {
		return err
	}
	from, err := firstShown(c, len(lines))
	if err != nil {
		return err
	}
	problems, err := forums.ThreadProblems(ctx, h.DB.DB, []int64{t.ID}, problemsShown)
	if err != nil {
		return err
	}
	people := writers(lines)
	lines, total := lines[from:min(from+threadLetters, len(lines))], len(lines)
	p := views.OneThread{Frame: h.ForumsFrame(c, messageTitle(ctx, t.Subject, f.Name)), Now: h.Now().In(h.ViewerZone(c)),
		Forum: h.forumView(&f, forums.Run{}), Thread: threadView(&t), Writers: people, From: from + 1, To: from + len(lines), Total: total}
	p.Frame.Feed = feedAddress(f.Slug)
	p.Thread.Problems = h.problemChips(c, problems[t.ID])
	if from > 0 {
		p.Earlier = partAddress(f.Slug, t.Head, from/threadLetters)
	}
	if p.To < total {
		p.Later = partAddress(f.Slug, t.Head, from/threadLetters+2)
	}
	if p.Letters, err = h.threadLetters(c, &t, lines); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.ThreadPage(p))
}

// firstShown is the place of the first message of the part of a thread that is
// wanted: ?part=2 is the second.
func firstShown(c echo.Context, total int) (int, error) {
	part := 1
	if s := c.QueryParam("part"); s != "" {
		var err error
		if part, err = strconv.Atoi(s); err != nil || part < 1 || part > forums.ThreadAtMost {
			return 0, pg.ErrNotFound
		}
	}
	from := (part - 1) * threadLetters
	if from > 0 && from >= total {
		return 0, pg.ErrNotFound
	}
	return from, nil
}

// threadLetters are the messages of a part of a thread, with their texts.
func (h *Handlers) threadLetters(c echo.Context, t *forums.Thread, lines []forums.MessageLine) ([]views.ThreadLetter, error) {
	serials := make([]int64, len(lines))
	for i := range lines {
		serials[i] = lines[i].Serial
	}
	found, err := forums.MessagesBySerials(c.Request().Context(), h.DB.DB, serials, threadLetterText+1)
	if err != nil {
		return nil, err
	}
	depth := map[int64]int{}
	for i := range lines {
		depth[lines[i].Serial] = min(lines[i].Depth, threadDepth)
	}
	all := make([]views.ThreadLetter, len(found))
	for i := range found {
		m := &found[i]
		l := views.ThreadLetter{Letter: letter(m), Depth: depth[m.Serial], URL: m.URL, Body: m.Body,
			NewSubject: forums.PlainSubject(m.Subject) != forums.PlainSubject(t.Subject)}
		if l.Cut = utf8.RuneCountInString(m.Body) > threadLetterText; l.Cut {
			l.Body = string([]rune(m.Body)[:threadLetterText]) + " …"
		}
		all[i] = l
	}
	return all, nil
}

func threadAddress(forum string, serial int64) string {
	return "/forums/" + forum + "/threads/" + strconv.FormatInt(serial, 10)
}

// partAddress leads to a part of a thread, from 1.
func partAddress(forum string, serial int64, part int) string {
	if part <= 1 {
		return threadAddress(forum, serial)
	}
	return threadAddress(forum, serial) + "?part=" + strconv.Itoa(part)
}
