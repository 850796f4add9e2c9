package harvest

import (
	"context"
	"time"

	"laurel/jobs/forums"
	"laurel/jobs/networks"
	"laurel/jobs/sites"
	forumrows "laurel/models/forums"
	"laurel/models/posts"
)

// storeAtOnce is how many messages one transaction stores.
const storeAtOnce = 500

// storeMessages stores messages, a few hundred at a time, and follows the posts of networks
// that they link to.
func (h *walker) storeMessages(ctx context.Context, period string, mails []forums.Mail, read []string) error {
	hosted, err := h.hosted(ctx)
	if err != nil {
		return err
	}
	for first := 0; first < len(mails) || first == 0 && len(read) > 0; first += storeAtOnce {
		part := mails[first:min(first+storeAtOnce, len(mails))]
		messages := make([]forumrows.NewMessage, len(part))
		for i := range part {
			messages[i] = newMessage(&part[i], period, hosted)
		}
		// What was fetched is stored also when Laurel is stopped.
		final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		batch := forumrows.Batch{Period: period, Messages: messages, Read: read, Own: h.URL, Answer: h.kept}
		res, err := h.Store(final, h.DB.DB, batch, h.Now())
		if err == nil && res.New > 0 {
			_, err = posts.Add(final, h.DB.DB, postsIn(part), h.Now())
		}
		cancel()
		if err != nil {
			return err
		}
		h.Run.New += res.New
		h.Run.Duplicates += res.Duplicates
		read = nil
		if res.Duplicates > 0 {
			h.Log.WarnContext(ctx, "messages were found again at other addresses: the archive was rebuilt, or the reader is wrong", "forum",
				h.Forum.Slug, "period", period, "messages", res.Duplicates, "first", part[0].URL)
		}
	}
	return ctx.Err()
}

func newMessage(m *forums.Mail, period string, hosted []sites.Info) forumrows.NewMessage {
	out := forumrows.NewMessage{
		URL: m.URL, MessageID: m.MessageID, InReplyTo: m.InReplyTo, Thread: m.Thread, Period: period, Number: int64(m.Number),
		Author: m.Author, Address: m.Address, Subject: m.Subject, SentShown: m.SentShown, Approximate: m.Approximate, Body: m.Body,
		Links: m.Links,
	}
	if out.InReplyTo == "" {
		out.InReplyTo = m.Parent
	}
	if m.Period != "" {
		out.Period = m.Period
	}
	if at := m.SentAt; !at.IsZero() {
		out.SentAt = &at
	}
	if out.Version = m.Version; !m.UpdatedAt.IsZero() {
		edited := m.UpdatedAt
		out.EditedAt = &edited
	}
	out.Refs = refsIn(m.Links, hosted)
	return out
}

func keyOf(ref networks.Ref) posts.Key {
	return posts.Key{Network: ref.Network, Host: ref.Host, ExternalID: ref.ID}
}

// postsIn are the posts that messages link to.
func postsIn(mails []forums.Mail) (list []posts.New) {
	for i := range mails {
		for _, link := range mails[i].Links {
			if ref, ok := networks.Recognise(link); ok {
				list = append(list, posts.New{Key: keyOf(ref), URL: link})
			}
		}
	}
	return list
}
