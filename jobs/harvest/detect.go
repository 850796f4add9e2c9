package harvest

import (
	"context"
	"errors"
	"html"
	"path"
	"regexp"
	"strings"
	"time"

	"laurel/jobs/forums"
	"laurel/jobs/pass"
	"laurel/jobs/polite"
	"laurel/models"
)

// lookSource is whose turn a request takes that finds out what an address is.
const lookSource = "look"

// LookAgain is how often somebody who waits for an answer looks for it.
const LookAgain = time.Second

// LookAtForums answers what the addresses are that admins pasted.
func (j *Jobs) LookAtForums(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		look, ok, err := models.ClaimForumLook(ctx, j.DB.DB, j.Now().Add(forumLease), j.Now())
		if err != nil || !ok {
			return false, err
		}
		err = j.lookAtForum(ctx, &look)
		if ctx.Err() != nil {
			return false, ctx.Err() // Nothing is said: the next process looks when the lease ends.
		}
		if err != nil {
			look.Message = j.whyNoForum(ctx, &look, err)
		}
		return true, models.AnswerForumLook(ctx, j.DB.DB, &look, j.Now())
	})
}

// lookAtForum reads the page and, where that is another one, the forum's entry
// point. robots.txt is asked first, as it is before a harvest.
func (j *Jobs) lookAtForum(ctx context.Context, look *models.ForumLook) error {
	h := &walker{Jobs: j, forum: models.Forum{GapMs: int(time.Second / time.Millisecond)}, run: new(models.Run), source: lookSource}
	defer func() { look.Robots = h.robots }()
	page, err := h.peek(ctx, look.URL)
	if err != nil {
		return err
	}
	address := folderOf(look.URL)
	kind, base, ok := forums.Detect(address, page)
	if !ok && address != look.URL {
		address = look.URL
		kind, base, ok = forums.Detect(address, page)
	}
	k, known := forums.ByName(kind)
	if !ok || !known {
		return errNoForum
	}
	if k.Info().Upload {
		return errUpload
	}
	look.Name = titleOf(page.Body)
	start, err := k.Start(base)
	if err != nil {
		return err
	}
	if start.Address != address {
		if page, err = h.peek(ctx, start.Address); err != nil {
			return err
		}
		if title := titleOf(page.Body); title != "" {
			look.Name = title
		}
	}
	found, err := k.Read(start, page)
	if err != nil {
		return err
	}
	look.Kind, look.Base, look.Periods, look.Messages = kind, start.Base, len(found.Spans), max(len(found.Listed), len(found.Messages))
	if start.Base == "" {
		look.Base = base
	}
	return nil
}

// folderOf gives the address of a folder the slash with which it is not pasted
// always: what its page links to stands below it.
func folderOf(address string) string {
	if strings.ContainsAny(address, "?") || strings.Contains(path.Base(address), ".") || strings.HasSuffix(address, "/") {
		return address
	}
	return address + "/"
}

// peek reads one page, if robots.txt allows it.
func (h *walker) peek(ctx context.Context, address string) (forums.Answer, error) {
	if err := h.readRobots(ctx, address); err != nil {
		return forums.Answer{}, err
	}
	page, err := h.Client.Get(ctx, polite.Request{Address: address, Source: h.source, Gap: max(h.forum.Gap(), h.rules.delay()), Urgent: true, Allowed: h.allowed})
	if err != nil {
		return forums.Answer{}, err
	}
	return answerOf(page), nil
}

var (
	errNoForum = errors.New("the page is no archive of a kind that is known here; paste the address of the list's own archive, where its months or its newest messages are listed")
	errUpload  = errors.New("this is a file of mails, and those are read from archives that show them as pages only")
)

// whyNoForum says in words why there is nothing to harvest.
func (j *Jobs) whyNoForum(ctx context.Context, look *models.ForumLook, err error) string {
	e, outside := errors.AsType[*polite.Error](err)
	switch {
	case outside:
		return e.Message
	case errors.Is(err, errRobots), errors.Is(err, errNoForum), errors.Is(err, errUpload):
		return err.Error()
	case errors.Is(err, forums.ErrFormat), errors.Is(err, forums.ErrTooLarge), errors.Is(err, forums.ErrGone):
		return "it looks like an archive, but its entry page could not be read: " + err.Error()
	}
	j.Log.ErrorContext(ctx, "an address could not be looked at", "address", look.URL, "err", err)
	return "the address could not be looked at; the log says why"
}

var pageTitle = regexp.MustCompile(`(?is)<title[^>]*>([^<]{1,500})</title>`)

// titleOf is how a page calls itself: "The reality Archives" is reality.
func titleOf(page []byte) string {
	m := pageTitle.FindSubmatch(page[:min(len(page), 64<<10)])
	if m == nil {
		return ""
	}
	title := strings.Join(strings.Fields(html.UnescapeString(strings.ToValidUTF8(string(m[1]), ""))), " ")
	title = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(title, "The "), " Archives"))
	if letters := []rune(title); len(letters) > 100 {
		title = string(letters[:100])
	}
	return title
}
