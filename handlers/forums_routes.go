package handlers

import (
	"io"
	"iter"

	"laurel/models"
)

// maxMbox bounds a file of mails, packed or not; unpacked it may be no more.
const maxMbox = 256 << 20

type forumHandlers struct {
	*Base
	ForumKinds []string // The kinds of archives that can be read.
	// ReadMbox yields the messages of a mailbox file; see jobs.ReadMbox.
	ReadMbox func(io.Reader) iter.Seq2[models.NewMessage, error]
}

// Routes are the addresses of forums and what was written there.
func (h *forumHandlers) Routes() []Route {
	return []Route{
		Get("/forums", Anyone, h.Forums),
		Get("/forums/:slug", Anyone, h.Forum),
		Post("/forums/:slug/detect", Member, h.DetectMessage),
		Get("/forums/:slug/feed.atom", Public, h.ForumFeed),
		Get("/forums/:slug/threads/:serial", Anyone, h.Thread),
		Get("/messages.atom", Public, h.AboutFeed),
		Get("/u/:name/messages.atom", Public, h.MemberFeed),
		Get("/messages/:id", Anyone, h.Message),
		Get("/u/:name/messages", Anyone, h.MemberMessages),
		Get("/settings/names", Member, h.OwnNames),
		Post("/settings/names", Member, h.AddOwnName),
		Post("/settings/names/:id/remove", Member, h.RemoveOwnName),
		Get("/admin/forums", Admin, h.ForumsAdmin),
		Post("/admin/forums/looks", Admin, h.AskForumLook),
		Post("/admin/forums/files", Admin, h.AddMboxForum),
		Post("/admin/forums/:slug/mbox", Admin, h.UploadMbox).UpTo(maxMbox).Streaming(),
		Get("/admin/forums/looks/:id", Admin, h.ForumLook),
		Post("/admin/forums/looks/:id/harvest", Admin, h.HarvestLooked),
		Get("/admin/forums/:slug", Admin, h.ForumAdmin),
		Post("/admin/forums/:slug/gap", Admin, h.SetForumGap),
		Post("/admin/forums/:slug/kick", Admin, h.KickForum),
		Post("/admin/forums/:slug/state", Admin, h.MoveForum),
		Get("/admin/authors", Admin, h.AuthorsAdmin),
		Post("/admin/authors", Admin, h.SayAuthor),
		Post("/admin/authors/suggestions", Admin, h.DecideAuthor),
		Post("/admin/authors/:id/remove", Admin, h.RemoveAuthor),
		Post("/hooks/forums/:slug/:key", Public, h.ForumHook),

		Get("/api/v1/members/:name/messages", Anyone, h.APIMemberMessages),
		Get("/api/v1/members/:name/authors", Member, h.APIAuthors),
		Post("/api/v1/members/:name/authors", Member, h.APIAddAuthor),
		Delete("/api/v1/members/:name/authors/:id", Member, h.APIRemoveAuthor),
		Get("/api/v1/authors/suggestions", Admin, h.APISuggestions),
		Post("/api/v1/authors/suggestions/:id", Admin, h.APIDecideAuthor),
		Get("/api/v1/authors/nobody", Admin, h.APINobody),
		Post("/api/v1/authors/nobody", Admin, h.APIAddNobody),
		Delete("/api/v1/authors/nobody/:id", Admin, h.APIRemoveNobody),
		Get("/api/v1/messages", Anyone, h.APIMessages),
		Get("/api/v1/forums", Anyone, h.APIForums),
		Post("/api/v1/forums", Admin, h.APIAddForum),
		Get("/api/v1/forums/:slug", Anyone, h.APIForum),
		Patch("/api/v1/forums/:slug", Admin, h.APISetForum),
		Post("/api/v1/forums/:slug/kick", Admin, h.APIKickForum),
		Post("/api/v1/forums/:slug/detect", Member, h.APIDetectMessage),
		Post("/api/v1/forums/:slug/hook", Admin, h.APIRenewForumHook),
		Post("/api/v1/forums/:slug/mbox", Admin, h.APIUploadMbox).UpTo(maxMbox).Streaming(),
	}
}
