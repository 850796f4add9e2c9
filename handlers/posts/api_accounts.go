package posts

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/posts"
)

type apiPostAccount struct {
	ID           int64      `json:"id"`
	Network      string     `json:"network"`
	Host         string     `json:"host,omitempty"`
	Handle       string     `json:"handle"`
	State        string     `json:"state"`
	Posts        int        `json:"posts"`
	AddedAt      time.Time  `json:"added_at"`
	FetchedAt    *time.Time `json:"looked_at"`
	NextUpdateAt *time.Time `json:"next_update_at"`
	LastError    string     `json:"last_error"`
}

func showPostAccount(a posts.Account) apiPostAccount {
	return apiPostAccount{a.ID, a.Network, a.Host, a.Handle, a.State, a.Posts, a.AddedAt.UTC(), web.UTC(a.FetchedAt),
		web.UTC(a.NextUpdateAt), a.LastError}
}

// APIAccounts lists a member's accounts on networks.
func (h *Handlers) APIAccounts(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	all, err := posts.AccountsOf(c.Request().Context(), h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	return web.SendList(c, all, "", showPostAccount)
}

// APIAddAccount links a member with an account, whose posts are then followed.
func (h *Handlers) APIAddAccount(c echo.Context) error {
	m, err := h.Managed(c)
	if err != nil {
		return err
	}
	var in struct {
		Network string `json:"network"`
		Handle  string `json:"handle"`
		Host    string `json:"host"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	n, err := h.networkNamed(in.Network)
	if err != nil {
		return err
	}
	a := posts.Account{MemberID: m.ID, Network: n.Name}
	if a.Handle, a.Host, err = n.CheckAccount(in.Handle, in.Host); err != nil {
		return err
	}
	ctx := c.Request().Context()
	before, err := posts.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	if err := posts.AddAccount(ctx, h.DB.DB, a, h.Now()); err != nil {
		return err
	}
	after, err := posts.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if len(after) == len(before) {
		status = http.StatusOK
	}
	for _, is := range after {
		if is.Network == a.Network && is.Host == a.Host && strings.EqualFold(is.Handle, a.Handle) {
			return c.JSON(status, showPostAccount(is))
		}
	}
	return pg.ErrNotFound // Somebody has ended the link in between.
}

// APIRemoveAccount ends the link; the posts that were found stay.
func (h *Handlers) APIRemoveAccount(c echo.Context) error {
	m, err := h.Managed(c)
	if err != nil {
		return err
	}
	if err := h.removeAccount(c, m); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// removeAccount unlinks the member's account that the address names.
func (h *Handlers) removeAccount(c echo.Context, m *members.Member) error {
	id, err := rowID(c)
	if err != nil {
		return err
	}
	return posts.RemoveAccount(c.Request().Context(), h.DB.DB, m.ID, id)
}
