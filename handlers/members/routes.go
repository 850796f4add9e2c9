// Package members answers for signing in and up, for what is a member's own, and
// for people who are followed without an account.
package members

import (
	"laurel/handlers/web"
	pg "laurel/models/db"
	views "laurel/views/members"
)

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	Mail   bool      // E-mails can be sent.
	Secret pg.Secret // Seals keys of members.
}

// Routes are the addresses of signing in and of what is a member's own. Handlers see to it that an account is theirs.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/setup", web.Door, h.SetupForm),
		web.Post("/setup", web.Door, h.Setup),
		web.Get("/sign-in", web.Door, h.SignInForm),
		web.Post("/sign-in", web.Door, h.SignIn),
		web.Post("/sign-out", web.Door, h.SignOut),
		web.Get("/sign-up", web.Door, h.SignUpForm),
		web.Post("/sign-up", web.Door, h.SignUp),
		web.Get("/forgot", web.Door, h.ForgotForm),
		web.Post("/forgot", web.Door, h.Forgot),
		web.Get("/my-handle", web.Door, h.MyHandleForm),
		web.Post("/my-handle", web.Door, h.BeginProof),
		web.Get("/my-handle/:key", web.Door, h.ShowHandle),
		web.Post("/my-handle/:key/check", web.Door, h.CheckHandle),
		web.Post("/my-handle/:key/remove", web.Door, h.LeaveOut),
		web.Post("/my-handle/:key/back", web.Door, h.TakeBack),
		web.Post("/my-handle/:key/show", web.Door, h.ShowToAll),
		web.Post("/my-handle/:key/show-no-more", web.Door, h.ShowNoMore),
		web.Post("/my-handle/:key/claim", web.Door, h.ClaimHandle),
		web.Get("/settings", web.Member, h.Settings(views.TabHandles)),
		web.Get("/settings/profile", web.Member, h.Settings(views.TabProfile)),
		web.Get("/settings/notices", web.Member, h.Settings(views.TabNotices)),
		web.Get("/settings/security", web.Member, h.Settings(views.TabSecurity)),
		web.Get("/settings/data", web.Member, h.Settings(views.TabData)),
		web.Post("/settings/handles/add", web.Member, h.AddHandle),
		web.Post("/settings/sessions/end", web.Member, h.EndSessions),
		web.Post("/settings/handles", web.Member, h.SaveHandles),
		web.Post("/settings/handles/removed/:id/restore", web.Member, h.RestoreHandle),
		web.Get("/settings/proof/:site", web.Member, h.ShowProof),
		web.Post("/settings/proof/:site", web.Member, h.BeginOwnProof),
		web.Post("/settings/proof/:site/check", web.Member, h.CheckOwnProof),
		web.Post("/settings/key", web.Member, h.SaveKey),
		web.Post("/settings/key/remove", web.Member, h.RemoveKey),
		web.Post("/settings/person", web.Member, h.SavePerson),
		web.Post("/settings/visibility", web.Member, h.SaveVisibility),
		web.Post("/settings/password", web.Member, h.ChangePassword),
		web.Post("/settings/tokens", web.Member, h.CreateToken),
		web.Post("/settings/tokens/feed", web.Member, h.CreateFeedToken),
		web.Post("/settings/tokens/:id/revoke", web.Member, h.RevokeToken),
		web.Post("/settings/notices", web.Member, h.ChooseNotices),
		web.Post("/settings/address", web.Member, h.RequestAddress),
		web.Post("/settings/address/forget", web.Member, h.ForgetAddress),
		web.Post("/settings/data", web.Member, h.OwnData).Streaming(),
		web.Post("/settings/leave", web.Member, h.DeleteOwnAccount),
		web.Post("/u/:name/accounts/:site/pause", web.Member, h.PauseAccount),
		web.Post("/u/:name/accounts/:site/resume", web.Member, h.ResumeAccount),
		web.Get("/custom", web.Member, h.AddCustom),
		web.Post("/custom", web.Member, h.Follow),
		web.Get("/custom/:name", web.Member, h.ShowCustom),
		web.Post("/custom/:name", web.Member, h.EditCustom),
		web.Post("/custom/:name/delete", web.Member, h.Unfollow),

		web.Get("/api/v1/members", web.Anyone, h.APIList),
		web.Post("/api/v1/members", web.Admin, h.APICreate),
		web.Get("/api/v1/members/:name", web.Anyone, h.APIShow),
		web.Patch("/api/v1/members/:name", web.Member, h.APIUpdate),
		web.Delete("/api/v1/members/:name", web.Admin, h.APIDelete),
	}
}
