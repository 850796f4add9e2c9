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
	forumrows "laurel/models/forums"
)

// inspectionSource is the source of requests that find out what is at an address.
const inspectionSource = "inspection"

// InspectionPoll is how often somebody who waits for an inspection asks for its result.
const InspectionPoll = time.Second

// Inspect finds out what is at the addresses that admins pasted.
func (j *Jobs) Inspect(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		in, ok, err := forumrows.ClaimInspection(ctx, j.DB.DB, j.Now().Add(forumLease), j.Now())
		if err != nil || !ok {
			return false, err
		}
		err = j.inspect(ctx, &in)
		if ctx.Err() != nil {
			return false, ctx.Err() // No result: the next process inspects it when the lease ends.
		}
		if err != nil {
			in.Message = j.refusal(ctx, &in, err)
		}
		return true, forumrows.AnswerInspection(ctx, j.DB.DB, &in, j.Now())
	})
}

// inspect reads the page and, where that is another one, the forum's entry
// point. robots.txt is asked first, as it is before a harvest.
func (j *Jobs) inspect(ctx context.Context, in *forumrows.Inspection) error {
	h := &walker{Jobs: j, Harvest: forumrows.Harvest{Forum: forumrows.Forum{GapMs: 1000}}, source: inspectionSource}
	defer func() { in.Robots = h.end.Robots }()
	page, err := h.fetchEntry(ctx, in.URL)
	if err != nil {
		return err
	}
	address := folderOf(in.URL)
	kind, base, ok := forums.Detect(address, page)
	if !ok && address != in.URL {
		address = in.URL
		kind, base, ok = forums.Detect(address, page)
	}
	k, known := forums.ByName(kind)
	if !ok || !known {
		return errNoForum
	}
	if k.Info().Upload {
		return errUpload
	}
	in.Name = titleOf(page.Body)
	start, err := k.Start(base)
	if err != nil {
		return err
	}
	if start.Address != address {
		if page, err = h.fetchEntry(ctx, start.Address); err != nil {
			return err
		}
		if title := titleOf(page.Body); title != "" {
			in.Name = title
		}
	}
	found, err := k.Read(start, page)
	if err != nil {
		return err
	}
	in.Kind, in.Base, in.Periods, in.Messages = kind, start.Base, len(found.Spans), max(len(found.Listed), len(found.Messages))
	if start.Base == "" {
		in.Base = base
	}
	return nil
}

// folderOf gives the address of a folder the slash with which it is not pasted
// always: what its page links to is below it.
func folderOf(address string) string {
	if strings.ContainsAny(address, "?") || strings.Contains(path.Base(address), ".") || strings.HasSuffix(address, "/") {
		return address
	}
	return address + "/"
}

// fetchEntry reads one page, if robots.txt allows it.
func (h *walker) fetchEntry(ctx context.Context, address string) (forums.Answer, error) {
	if err := h.readRobots(ctx, address); err != nil {
		return forums.Answer{}, err
	}
	page, err := h.Client.Get(ctx, polite.Request{Address: address, Source: h.source, Gap: max(h.Forum.Gap(), h.rules.delay()),
		Urgent: true, Allowed: h.allowed})
	if err != nil {
		return forums.Answer{}, err
	}
	return answerOf(page), nil
}

var (
	errNoForum = errors.New("this page is not an archive of a known kind; paste the address of the list's own archive, the page " +
		"that lists its months or newest messages")
	errUpload = errors.New("this is a mail file; only archives that show messages as pages can be harvested")
)

// refusal says as text why there is nothing to harvest.
func (j *Jobs) refusal(ctx context.Context, in *forumrows.Inspection, err error) string {
	e, outside := errors.AsType[*polite.Error](err)
	switch {
	case outside:
		return e.Message
	case errors.Is(err, errRobots), errors.Is(err, errNoForum), errors.Is(err, errUpload):
		return err.Error()
	case errors.Is(err, forums.ErrFormat), errors.Is(err, forums.ErrTooLarge), errors.Is(err, forums.ErrGone):
		return "this seems to be an archive, but its entry page could not be read: " + err.Error()
	}
	j.Log.ErrorContext(ctx, "an address could not be inspected", "address", in.URL, "err", err)
	return "the address could not be inspected; the log says why"
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
