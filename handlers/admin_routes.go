package handlers

type adminHandlers struct{ *Base }

// Routes are the addresses of the admins' own page.
func (h *adminHandlers) Routes() []Route {
	return []Route{
		Get("/admin", Admin, h.Index),
		Post("/admin/sign-up", Admin, h.SetSignUp),
		Post("/admin/invitations", Admin, h.Invite),
		Post("/admin/invitations/:id/revoke", Admin, h.RevokeInvitation),
		Post("/admin/members/:name/role", Admin, h.SetRole),
		Post("/admin/members/:name/password", Admin, h.InviteToChoosePassword),
		Post("/admin/members/:name/delete", Admin, h.DeleteMember),
	}
}
