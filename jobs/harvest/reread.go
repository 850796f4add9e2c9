package harvest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/jobs/forums"
	"laurel/jobs/sites"
	forumrows "laurel/models/forums"
	"laurel/models/responses"
)

// keep keeps the raw answer to a step, so that a reader that is mended later can read it again.
func (h *walker) keep(ctx context.Context, s forums.Step, a forums.Answer, readable bool) error {
	step, err := json.Marshal(s)
	if err != nil {
		return err
	}
	answer := responses.Answer{Source: h.source, Address: s.Address, Question: string(step), Status: a.Status,
		Header: map[string][]string{}, Body: a.Body, Readable: readable}
	for _, name := range []string{"Content-Type", "X-Robots-Tag"} {
		if text := header(a, name); text != "" {
			answer.Header[name] = strings.Split(text, "\n")
		}
	}
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	ids, err := responses.Store(final, h.DB.DB, responses.Owner{ForumID: h.Forum.ID}, []responses.Answer{answer}, h.Now())
	if err == nil && readable {
		h.kept = ids[0]
	}
	return err
}

// A RereadOrder says which raw answers are read again.
type RereadOrder struct {
	Forum  string    // Its slug; "": all.
	Since  time.Time // Of answers that came since.
	DryRun bool
}

// Reread reads the raw answers of forums again with today's readers, and reports each forum of
// which something changed. It asks nobody.
func (j *Jobs) Reread(ctx context.Context, o RereadOrder, report func(*forumrows.Forum, forumrows.Reread) error) error {
	list, err := forumrows.All(ctx, j.DB.DB)
	if err != nil {
		return err
	}
	if o.Forum != "" {
		f, err := forumrows.BySlug(ctx, j.DB.DB, o.Forum)
		if err != nil {
			return fmt.Errorf("forum %q: %w", o.Forum, err)
		}
		list = []forumrows.Forum{f}
	}
	for i := range list {
		kind, ok := forums.ByName(list[i].Kind)
		if !ok && list[i].Kind != forumrows.KindMbox {
			continue
		}
		c, err := forumrows.RereadMessages(ctx, j.DB.DB, &list[i], j.rereadings(ctx, &list[i], kind, o.Since), j.URL, o.DryRun)
		if err == nil && c != (forumrows.Reread{}) {
			err = report(&list[i], c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answersAtOnce bounds the memory: an answer may be as large as a month of mails.
const answersAtOnce = 8

// rereadings reads the answers of a forum again, oldest first.
func (j *Jobs) rereadings(ctx context.Context, f *forumrows.Forum, kind forums.Kind, since time.Time,
) iter.Seq2[forumrows.Rereading, error] {
	return func(yield func(forumrows.Rereading, error) bool) {
		hosted, err := j.hosted(ctx)
		if err != nil {
			yield(forumrows.Rereading{}, err)
			return
		}
		for after := int64(0); ; {
			answers, err := responses.OfForum(ctx, j.DB.DB, f.ID, since, after, answersAtOnce)
			if err != nil {
				yield(forumrows.Rereading{}, err)
				return
			}
			if len(answers) == 0 {
				return
			}
			for i := range answers {
				after = answers[i].ID
				r, err := rereadAnswer(f, kind, &answers[i], hosted)
				if err != nil { // It is no worse than it was.
					j.Log.WarnContext(ctx, "a raw answer cannot be read", "forum", f.Slug, "address", answers[i].Address, "why", err)
					continue
				}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

func rereadAnswer(f *forumrows.Forum, kind forums.Kind, a *responses.Answer, hosted []sites.Info) (r forumrows.Rereading, err error) {
	if f.Kind == forumrows.KindMbox {
		return rereadFile(a)
	}
	var step forums.Step
	if err := json.Unmarshal([]byte(a.Question), &step); err != nil {
		return r, err
	}
	head := http.Header(a.Header)
	answer := forums.Answer{Status: a.Status, Body: a.Body,
		Header: func(name string) string { return strings.Join(head.Values(name), "\n") }}
	found, err := kind.Read(step, answer)
	if err != nil {
		return r, err
	}
	if found.HeedRobots(answer.Header("X-Robots-Tag"), robotName); found.NoIndex {
		return r, errNoIndex
	}
	r = forumrows.Rereading{Answer: a.ID, At: a.RetrievedAt, Readable: a.Readable, Period: step.Period}
	mails := slices.DeleteFunc(found.Messages, func(m forums.Mail) bool { return beforeStart(f, m.SentAt) })
	for i := range mails {
		m := newMessage(&mails[i], step.Period, hosted)
		m.Posts = postsIn(mails[i : i+1])
		r.Messages = append(r.Messages, m)
	}
	return r, nil
}
