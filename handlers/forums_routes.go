package handlers

import (
	"io"
	"iter"

	"laurel/models/forums"
)

// maxMbox bounds a file of mails, packed or not; unpacked it may be no more.
const maxMbox = 256 << 20

type forumHandlers struct {
	*Base
	ForumKinds []string // The kinds of archives that can be read.
	// ReadMbox yields the messages of a mailbox file; see jobs.ReadMbox.
	ReadMbox func(io.Reader) iter.Seq2[forums.NewMessage, error]
}

// Routes are the addresses of forums and what was written there.
func (h *forumHandlers) Routes() []Route {
	return []Route{
		Get("/forums", Anyone, h.Index),
		Get("/forums/:slug", Anyone, h.Show),
		Post("/forums/:slug/detect", Member, h.Detect),
		Get("/forums/:slug/feed.atom", Public, h.Feed),
		Get("/forums/:slug/threads/:serial", Anyone, h.Thread),
		Get("/messages.atom", Public, h.AboutFeed),
		Get("/u/:name/messages.atom", Public, h.MemberFeed),
		Get("/messages/:id", Anyone, h.Message),
		Get("/u/:name/messages", Anyone, h.MemberMessages),
		Get("/settings/names", Member, h.OwnNames),
		Post("/settings/names", Member, h.AddOwnName),
		Post("/settings/names/:id/remove", Member, h.RemoveOwnName),
		Get("/admin/forums", Admin, h.Admin),
		Post("/admin/forums/looks", Admin, h.RequestInspection),
		Post("/admin/forums/files", Admin, h.AddMbox),
		Post("/admin/forums/:slug/mbox", Admin, h.UploadMbox).UpTo(maxMbox).Streaming(),
		Get("/admin/forums/looks/:id", Admin, h.Inspection),
		Post("/admin/forums/looks/:id/harvest", Admin, h.HarvestInspected),
		Get("/admin/forums/:slug", Admin, h.AdminForum),
		Post("/admin/forums/:slug/gap", Admin, h.SetGap),
		Post("/admin/forums/:slug/kick", Admin, h.Kick),
		Post("/admin/forums/:slug/state", Admin, h.SetState),
		Get("/admin/authors", Admin, h.Authors),
		Post("/admin/authors", Admin, h.AssignAuthor),
		Post("/admin/authors/suggestions", Admin, h.DecideSuggestion),
		Post("/admin/authors/:id/remove", Admin, h.RemoveAuthor),
		Post("/hooks/forums/:slug/:key", Public, h.Hook),

		Get("/api/v1/members/:name/messages", Anyone, h.APIMemberMessages),
		Get("/api/v1/members/:name/authors", Member, h.APIAuthors),
		Post("/api/v1/members/:name/authors", Member, h.APIAddAuthor),
		Delete("/api/v1/members/:name/authors/:id", Member, h.APIRemoveAuthor),
		Get("/api/v1/authors/suggestions", Admin, h.APISuggestions),
		Post("/api/v1/authors/suggestions/:id", Admin, h.APIDecideSuggestion),
		Get("/api/v1/authors/nobody", Admin, h.APIListUnmatchedAuthors),
		Post("/api/v1/authors/nobody", Admin, h.APIAddUnmatchedAuthor),
		Delete("/api/v1/authors/nobody/:id", Admin, h.APIRemoveUnmatchedAuthor),
		Get("/api/v1/messages", Anyone, h.APIMessages),
		Get("/api/v1/forums", Anyone, h.APIList),
		Post("/api/v1/forums", Admin, h.APIAdd),
		Get("/api/v1/forums/:slug", Anyone, h.APIShow),
		Patch("/api/v1/forums/:slug", Admin, h.APIUpdate),
		Post("/api/v1/forums/:slug/kick", Admin, h.APIKick),
		Post("/api/v1/forums/:slug/detect", Member, h.APIDetect),
		Post("/api/v1/forums/:slug/hook", Admin, h.APIRenewHook),
		Post("/api/v1/forums/:slug/mbox", Admin, h.APIUploadMbox).UpTo(maxMbox).Streaming(),
	}
}
