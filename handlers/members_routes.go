package handlers

type memberHandlers struct {
	*Base
	Mail bool // E-mails can be sent.
}

// Routes are the addresses of signing in and of what is a member's own. Handlers see to it that an account is theirs.
func (h *memberHandlers) Routes() []Route {
	return []Route{
		Get("/setup", Anyone, h.SetupForm),
		Post("/setup", Anyone, h.Setup),
		Get("/sign-in", Anyone, h.SignInForm),
		Post("/sign-in", Anyone, h.SignIn),
		Post("/sign-out", Anyone, h.SignOut),
		Get("/sign-up", Anyone, h.SignUpForm),
		Post("/sign-up", Anyone, h.SignUp),
		Get("/settings", Member, h.Settings),
		Post("/settings/handles", Member, h.SaveHandles),
		Post("/settings/person", Member, h.SavePerson),
		Post("/settings/password", Member, h.ChangePassword),
		Post("/settings/tokens", Member, h.CreateToken),
		Post("/settings/tokens/:id/revoke", Member, h.RevokeToken),
		Post("/settings/notices", Member, h.ChooseNotices),
		Post("/settings/address", Member, h.RequestAddress),
		Post("/settings/address/forget", Member, h.ForgetAddress),
		Post("/settings/leave", Member, h.DeleteOwnAccount),
		Post("/u/:name/accounts/:site/pause", Member, h.PauseAccount),
		Post("/u/:name/accounts/:site/resume", Member, h.ResumeAccount),
		Get("/custom", Member, h.ListCustom),
		Post("/custom", Member, h.Follow),
		Get("/custom/:name", Member, h.ShowCustom),
		Post("/custom/:name", Member, h.EditCustom),
		Post("/custom/:name/delete", Member, h.Unfollow),

		Get("/api/v1/members", Anyone, h.APIList),
		Post("/api/v1/members", Admin, h.APICreate),
		Get("/api/v1/members/:name", Anyone, h.APIShow),
		Patch("/api/v1/members/:name", Member, h.APIUpdate),
		Delete("/api/v1/members/:name", Admin, h.APIDelete),
	}
}
