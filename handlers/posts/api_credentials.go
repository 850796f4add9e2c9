package posts

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/posts"
)

type apiCredential struct {
	ID            int64      `json:"id"`
	Network       string     `json:"network"`
	Host          string     `json:"host,omitempty"`
	Name          string     `json:"name"`
	Token         bool       `json:"token"` // Whether there is one; it is never shown.
	Legacy        bool       `json:"legacy"`
	Fields        string     `json:"fields"`
	State         string     `json:"state"`
	Reason        string     `json:"reason"`
	CooldownUntil *time.Time `json:"cooldown_until"`
	Quota         int        `json:"quota"`
	WindowSeconds int        `json:"window_seconds"`
	Remaining     int        `json:"remaining"`
	ResetAt       *time.Time `json:"reset_at"`
	MonthlyPosts  *int64     `json:"monthly_posts"`
	UsedAt        *time.Time `json:"used_at"`
	CreatedAt     time.Time  `json:"created_at"`
	Month         apiUse     `json:"month"`
	Today         apiUse     `json:"today"`
}

type apiUse struct {
	Requests int64   `json:"requests"`
	Posts    int64   `json:"posts"`
	Charged  int64   `json:"charged"`
	Dollars  float64 `json:"cost_dollars"`
}

func showUse(u posts.CredentialUse, price int64) apiUse {
	return apiUse{u.Requests, u.Posts, u.Charged, float64(u.Charged*price) / 1000}
}

func (h *Handlers) showCredential(u posts.UsedCredential) apiCredential {
	now := h.Now()
	left, reset := u.Left(now)
	price := h.network(u.Network).Price
	out := apiCredential{ID: u.ID, Network: u.Network, Host: u.Host, Name: u.Name, Token: u.HasToken, Legacy: u.Legacy, Fields: u.Fields,
		State: u.State, Reason: u.Reason,
		CooldownUntil: web.UTC(u.CooldownUntil), Quota: u.Quota, WindowSeconds: u.WindowSeconds, Remaining: left, ResetAt: web.UTC(reset),
		MonthlyPosts: u.MonthlyPosts, UsedAt: web.UTC(u.UsedAt), CreatedAt: u.CreatedAt.UTC(),
		Month: showUse(u.Month, price), Today: showUse(u.Today, price)}
	if out.CooldownUntil != nil && !out.CooldownUntil.After(now) {
		out.CooldownUntil = nil
	}
	return out
}

// APICredentials lists what the networks are asked with, and what that was used for.
func (h *Handlers) APICredentials(c echo.Context) error {
	all, err := posts.UsedCredentials(c.Request().Context(), h.DB.DB, 0, h.Now())
	if err != nil {
		return err
	}
	return web.SendList(c, all, "", h.showCredential)
}

// An apiNewCredential is a credential as an admin sends it.
type apiNewCredential struct {
	Network       string `json:"network"`
	Host          string `json:"host"`
	Name          string `json:"name"`
	Token         string `json:"token"`
	Legacy        bool   `json:"legacy"`
	Fields        string `json:"fields"`
	Quota         *int   `json:"quota"`
	WindowSeconds *int   `json:"window_seconds"`
	MonthlyPosts  *int64 `json:"monthly_posts"`
}

// APISaveCredential adds a credential, or replaces the one of that name.
func (h *Handlers) APISaveCredential(c echo.Context) error {
	var in apiNewCredential
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	n, err := h.newCredential(&in)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	before, err := posts.UsedCredentials(ctx, h.DB.DB, 0, h.Now())
	if err != nil {
		return err
	}
	id, err := posts.SaveCredential(ctx, h.DB.DB, n, h.Secret, h.Now())
	if err != nil {
		return err
	}
	status := http.StatusCreated
	for _, was := range before {
		if was.ID == id {
			status = http.StatusOK
		}
	}
	return h.sendCredential(c, status, id)
}

const (
	quotaAtMost  = 1_000_000
	windowAtMost = 31 * 24 * 3600
)

// fieldsName is what a parameter may be called.
var fieldsName = regexp.MustCompile(`^[a-z][a-z_]{0,30}(\.[a-z][a-z_]{0,30})?$`)

// newCredential checks what is sent, and fills in what the network is known to allow.
func (h *Handlers) newCredential(in *apiNewCredential) (n posts.NewCredential, err error) {
	network, err := h.networkNamed(in.Network)
	if err != nil {
		return n, err
	}
	n = posts.NewCredential{Network: network.Name, Name: strings.TrimSpace(in.Name), Token: in.Token, Legacy: in.Legacy, Fields: in.Fields,
		Quota: network.Requests, Window: network.Window, MonthlyPosts: in.MonthlyPosts}
	if n.Host, err = network.CheckHost(in.Host); err != nil {
		return n, err
	}
	switch {
	case n.Legacy && network.OldAPI == "":
		return n, &pg.InputError{Field: "legacy", Message: network.Title + " has no older API"}
	case n.Fields != "" && network.FieldsParameter == "":
		return n, &pg.InputError{Field: "fields", Message: network.Title + " has no such parameter"}
	case n.Fields != "" && !fieldsName.MatchString(n.Fields):
		return n, &pg.InputError{Field: "fields", Message: "must be the name of a parameter, such as " + network.FieldsParameter}
	case n.MonthlyPosts != nil && *n.MonthlyPosts < int64(network.Batch): // Else it would never be asked.
		return n, &pg.InputError{Field: "monthly_posts",
			Message: fmt.Sprintf("must be at least %d, the size of one request; omit it for no limit", network.Batch)}
	}
	return n, in.readQuota(&n)
}

// readQuota reads how many requests are allowed in which time, where that is sent.
func (in *apiNewCredential) readQuota(n *posts.NewCredential) error {
	if in.Quota != nil {
		if n.Quota = *in.Quota; n.Quota < 1 || n.Quota > quotaAtMost {
			return &pg.InputError{Field: "quota", Message: fmt.Sprintf("must be between 1 and %d requests per window", quotaAtMost)}
		}
	}
	if in.WindowSeconds != nil {
		if *in.WindowSeconds < 1 || *in.WindowSeconds > windowAtMost {
			return &pg.InputError{Field: "window_seconds", Message: fmt.Sprintf("must be between 1 and %d seconds", windowAtMost)}
		}
		n.Window = time.Duration(*in.WindowSeconds) * time.Second
	}
	return nil
}

// APIEditCredential pauses a credential, or goes on with it.
func (h *Handlers) APIEditCredential(c echo.Context) error {
	id, err := rowID(c)
	if err != nil {
		return err
	}
	var in struct {
		State string `json:"state"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if in.State != "active" && in.State != "paused" {
		return &pg.InputError{Field: "state", Message: "must be active or paused"}
	}
	if err := posts.SetCredentialState(c.Request().Context(), h.DB.DB, id, in.State); err != nil {
		return err
	}
	return h.sendCredential(c, http.StatusOK, id)
}

// APIDeleteCredential forgets a credential and what it was used for.
func (h *Handlers) APIDeleteCredential(c echo.Context) error {
	id, err := rowID(c)
	if err != nil {
		return err
	}
	if err := posts.DeleteCredential(c.Request().Context(), h.DB.DB, id); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// rowID is the id of a credential or an account in an address.
func rowID(c echo.Context) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, pg.ErrNotFound
	}
	return id, nil
}

func (h *Handlers) sendCredential(c echo.Context, status int, id int64) error {
	all, err := posts.UsedCredentials(c.Request().Context(), h.DB.DB, id, h.Now())
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return pg.ErrNotFound
	}
	return c.JSON(status, h.showCredential(all[0]))
}
