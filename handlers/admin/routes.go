// Package admin answers for what admins do: members, invitations, access, and how Laurel is.
package admin

import (
	"laurel/handlers/web"
)

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	Mail bool                       // E-mails can be sent.
	Disk func() (free, size uint64) // Of the folder with Laurel's data, in bytes; nil: not known.
}

// Routes are the addresses of the admins' pages that belong to no other domain.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/admin", web.Admin, h.Index),
		web.Get("/admin/access", web.Admin, h.Access),
		web.Post("/admin/sign-up", web.Admin, h.SetSignUp),
		web.Post("/admin/audience", web.Admin, h.SetAudience),
		web.Get("/admin/archive", web.Admin, h.Archive),
		web.Get("/api/v1/admin/reports", web.Admin, h.APIReports),
		web.Post("/api/v1/admin/reports/:id/resolve", web.Admin, h.APIResolveReport),
		web.Get("/admin/reports", web.Admin, h.Reports),
		web.Post("/admin/reports/:id/resolve", web.Admin, h.ResolveReport),
		web.Get("/admin/invitations", web.Admin, h.Invitations),
		web.Post("/admin/invitations", web.Admin, h.Invite),
		web.Post("/admin/invitations/:id/revoke", web.Admin, h.RevokeInvitation),
		web.Get("/admin/import", web.Admin, h.ImportForm),
		web.Post("/admin/import", web.Admin, h.Import).UpTo(maxImport),
		web.Get("/admin/members", web.Admin, h.Members),
		web.Get("/admin/members.csv", web.Admin, h.Export).Streaming(),
		web.Get("/admin/members/:name", web.Admin, h.Member),
		web.Post("/admin/members/:name", web.Admin, h.EditMember),
		web.Post("/admin/members/:name/role", web.Admin, h.SetRole),
		web.Post("/admin/members/:name/suspend", web.Admin, h.Suspend),
		web.Post("/admin/members/:name/sign-out", web.Admin, h.SignOutMember),
		web.Post("/admin/members/:name/password", web.Admin, h.InviteToChoosePassword),
		web.Post("/admin/members/:name/delete", web.Admin, h.DeleteMember),
	}
}
