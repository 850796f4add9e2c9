// Package forums answers for forums, messages and threads, and for who wrote them.
package forums

import (
	"io"
	"iter"

	"laurel/handlers/web"
	"laurel/models/forums"
)

// maxMbox bounds a file of mails, packed or not; unpacked it may be no more.
const maxMbox = 256 << 20

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	ForumKinds []string // The kinds of archives that can be read.
	// ReadMbox yields the messages of a mailbox file; see jobs.ReadMbox.
	ReadMbox func(io.Reader) iter.Seq2[forums.NewMessage, error]
}

// Routes are the addresses of forums and what was written there.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/forums", web.Anyone, h.Index),
		web.Get("/forums/:slug", web.Anyone, h.Show),
		web.Post("/forums/:slug/detect", web.Member, h.Detect),
		web.Get("/forums/:slug/feed.atom", web.Feed, h.Feed),
		web.Get("/forums/:slug/threads/:serial", web.Anyone, h.Thread),
		web.Get("/messages.atom", web.Feed, h.AboutFeed),
		web.Get("/u/:name/messages.atom", web.Feed, h.MemberFeed),
		web.Get("/messages/:id", web.Anyone, h.Message),
		web.Get("/u/:name/messages", web.Anyone, h.MemberMessages),
		web.Get("/settings/names", web.Member, h.OwnNames),
		web.Post("/settings/names", web.Member, h.AddOwnName),
		web.Post("/settings/names/:id/remove", web.Member, h.RemoveOwnName),
		web.Get("/admin/forums", web.Admin, h.Admin),
		web.Post("/admin/forums/looks", web.Admin, h.RequestInspection),
		web.Post("/admin/forums/files", web.Admin, h.AddMbox),
		web.Post("/admin/forums/:slug/mbox", web.Admin, h.UploadMbox).UpTo(maxMbox).Streaming(),
		web.Get("/admin/forums/looks/:id", web.Admin, h.Inspection),
		web.Post("/admin/forums/looks/:id/harvest", web.Admin, h.HarvestInspected),
		web.Get("/admin/forums/:slug", web.Admin, h.AdminForum),
		web.Post("/admin/forums/:slug/gap", web.Admin, h.SetGap),
		web.Post("/admin/forums/:slug/kick", web.Admin, h.Kick),
		web.Post("/admin/forums/:slug/state", web.Admin, h.SetState),
		web.Get("/admin/authors", web.Admin, h.Authors),
		web.Post("/admin/authors", web.Admin, h.AssignAuthor),
		web.Post("/admin/authors/suggestions", web.Admin, h.DecideSuggestion),
		web.Post("/admin/authors/:id/remove", web.Admin, h.RemoveAuthor),
		web.Post("/hooks/forums/:slug/:key", web.Public, h.Hook),

		web.Get("/api/v1/members/:name/messages", web.Anyone, h.APIMemberMessages),
		web.Get("/api/v1/members/:name/authors", web.Member, h.APIAuthors),
		web.Post("/api/v1/members/:name/authors", web.Member, h.APIAddAuthor),
		web.Delete("/api/v1/members/:name/authors/:id", web.Member, h.APIRemoveAuthor),
		web.Get("/api/v1/authors/suggestions", web.Admin, h.APISuggestions),
		web.Post("/api/v1/authors/suggestions/:id", web.Admin, h.APIDecideSuggestion),
		web.Get("/api/v1/authors/nobody", web.Admin, h.APIListUnmatchedAuthors),
		web.Post("/api/v1/authors/nobody", web.Admin, h.APIAddUnmatchedAuthor),
		web.Delete("/api/v1/authors/nobody/:id", web.Admin, h.APIRemoveUnmatchedAuthor),
		web.Get("/api/v1/messages", web.Anyone, h.APIMessages),
		web.Get("/api/v1/forums", web.Anyone, h.APIList),
		web.Post("/api/v1/forums", web.Admin, h.APIAdd),
		web.Get("/api/v1/forums/:slug", web.Anyone, h.APIShow),
		web.Patch("/api/v1/forums/:slug", web.Admin, h.APIUpdate),
		web.Post("/api/v1/forums/:slug/kick", web.Admin, h.APIKick),
		web.Post("/api/v1/forums/:slug/detect", web.Member, h.APIDetect),
		web.Post("/api/v1/forums/:slug/hook", web.Admin, h.APIRenewHook),
		web.Post("/api/v1/forums/:slug/mbox", web.Admin, h.APIUploadMbox).UpTo(maxMbox).Streaming(),
	}
}
