// Package admin answers for the admins' own page: sign-up, invitations, roles.
package admin

import (
	"laurel/handlers/web"
)

// Handlers answers for the domain.
type Handlers struct{ *web.Base }

// Routes are the addresses of the admins' own page.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/admin", web.Admin, h.Index),
		web.Post("/admin/sign-up", web.Admin, h.SetSignUp),
		web.Post("/admin/audience", web.Admin, h.SetAudience),
		web.Post("/admin/invitations", web.Admin, h.Invite),
		web.Post("/admin/invitations/:id/revoke", web.Admin, h.RevokeInvitation),
		web.Get("/admin/members/import", web.Admin, h.ImportForm),
		web.Post("/admin/members/import", web.Admin, h.Import).UpTo(maxImport),
		web.Post("/admin/members/:name/role", web.Admin, h.SetRole),
		web.Post("/admin/members/:name/password", web.Admin, h.InviteToChoosePassword),
		web.Post("/admin/members/:name/delete", web.Admin, h.DeleteMember),
	}
}
