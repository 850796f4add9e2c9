package members

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	"laurel/models/members"
)

type apiMember struct {
	Name        string       `json:"name"`
	DisplayName string       `json:"display_name"`
	TimeZone    string       `json:"time_zone"`
	Custom      bool         `json:"custom"`
	CreatedAt   time.Time    `json:"created_at"`
	Accounts    []apiAccount `json:"accounts"`
}

type apiAccount struct {
	Site            string     `json:"site"`
	Handle          string     `json:"handle"`
	State           string     `json:"state"`
	Outcome         string     `json:"outcome"`
	Delay           int        `json:"delay"`
	LastRetrievedAt *time.Time `json:"last_retrieved_at"`
	LastAttemptAt   *time.Time `json:"last_attempt_at"`
	NextDueAt       *time.Time `json:"next_due_at"`
	CompleteUntil   *time.Time `json:"complete_until"`
	Missing         int        `json:"missing"`
	MissingFrom     *string    `json:"missing_from"`
	MissingUntil    *string    `json:"missing_until"`
	Unread          int        `json:"unread"`
	Submissions     int        `json:"submissions"`
	Message         string     `json:"message"`
	FormerHandle    string     `json:"former_handle"`
	RenamedAt       *time.Time `json:"renamed_at"`
	PushedAt        *time.Time `json:"pushed_at"`
	CheckedThrough  *time.Time `json:"checked_through"`
	CheckedFrom     *time.Time `json:"checked_from"`
	NextReason      string     `json:"next_reason"`
	Reported        apiCounts  `json:"reported"`
	Listed          apiCounts  `json:"listed"`
	WantedHandle    string     `json:"wanted_handle"`
	WantedRefusedAt *time.Time `json:"wanted_refused_at"`
}

// apiCounts are how many problems are solved and how many submissions there are; null: not known.
type apiCounts struct {
	Solved      *int `json:"solved"`
	Submissions *int `json:"submissions"`
}

func showMember(m accounts.MemberAccounts) apiMember {
	out := apiMember{Name: m.Name, DisplayName: m.DisplayName, TimeZone: m.TimeZone, Custom: m.Custom, CreatedAt: m.CreatedAt.UTC(),
		Accounts: make([]apiAccount, len(m.Accounts))}
	for i, a := range m.Accounts {
		wanted := m.Wanted[a.ID]
		out.Accounts[i] = apiAccount{Site: a.Site, Handle: a.Handle, State: a.State, Outcome: a.Outcome, Delay: a.Delay,
			LastRetrievedAt: web.UTC(a.LastRetrievedAt), LastAttemptAt: web.UTC(a.LastAttemptAt), NextDueAt: web.UTC(a.NextDueAt()),
			CompleteUntil: web.UTC(a.CompleteUntil), Missing: a.Missing, MissingFrom: utcDay(a.MissingFrom),
			MissingUntil: utcDay(a.MissingUntil), Unread: a.Unread, Submissions: a.Submissions, Message: a.Message,
			FormerHandle: a.FormerHandle, RenamedAt: web.UTC(a.RenamedAt), PushedAt: web.UTC(a.PushedAt),
			CheckedThrough: web.UTC(a.AuditedAt), CheckedFrom: web.UTC(a.AuditedFrom), NextReason: a.Reason,
			Reported: apiCounts{a.ReportedSolved, a.ReportedSubmissions}, Listed: apiCounts{&a.Solved, &a.Submissions},
			WantedHandle: wanted.Handle, WantedRefusedAt: web.UTC(wanted.RefusedAt)}
	}
	return out
}

// APIList lists the members by name.
func (h *Handlers) APIList(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	members, next, err := accounts.After(c.Request().Context(), h.DB.DB, c.QueryParam("cursor"), limit)
	if err != nil {
		return err
	}
	return web.SendList(c, members, next, showMember)
}

// APIShow is one member.
func (h *Handlers) APIShow(c echo.Context) error {
	return h.sendMember(c, http.StatusOK, c.Param("name"))
}

func (h *Handlers) sendMember(c echo.Context, status int, name string) error {
	m, err := accounts.Named(c.Request().Context(), h.DB.DB, name)
	if err != nil {
		return err
	}
	return c.JSON(status, showMember(m))
}

// APICreate adds a member with its handles.
func (h *Handlers) APICreate(c echo.Context) error {
	var in struct {
		Name        string            `json:"name"`
		DisplayName string            `json:"display_name"`
		TimeZone    string            `json:"time_zone"`
		Custom      bool              `json:"custom"`
		Accounts    map[string]string `json:"accounts"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	m := members.Member{Name: in.Name, DisplayName: in.DisplayName, TimeZone: in.TimeZone, Custom: in.Custom}
	added := accounts.New{Member: &m, Handles: in.Accounts, By: h.Viewer(c)}
	if err := accounts.Add(c.Request().Context(), h.DB.DB, h.Sites(c), added, h.Now()); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, "/api/v1/members/"+m.Name)
	return h.sendMember(c, http.StatusCreated, m.Name)
}

// APIUpdate changes what is given of a member.
func (h *Handlers) APIUpdate(c echo.Context) error {
	m, err := h.Managed(c)
	if err != nil {
		return err
	}
	var in struct {
		DisplayName *string           `json:"display_name"`
		TimeZone    *string           `json:"time_zone"`
		Accounts    map[string]string `json:"accounts"`
		Role        *string           `json:"role"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if in.Role != nil && h.Viewer(c).Role != members.RoleAdmin {
		return echo.NewHTTPError(http.StatusForbidden, "only admins decide who is member, support or admin")
	}
	edit := accounts.MemberEdit{DisplayName: in.DisplayName, TimeZone: in.TimeZone, Handles: in.Accounts, Role: in.Role}
	if err := accounts.Edit(c.Request().Context(), h.DB.DB, h.Sites(c), m.ID, edit, h.Now()); err != nil {
		return err
	}
	return h.sendMember(c, http.StatusOK, m.Name)
}

// APIDelete deletes a member with all that belongs to it.
func (h *Handlers) APIDelete(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	if err := accounts.Delete(c.Request().Context(), h.DB.DB, m.ID); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// utcDay is a day of UTC, or null.
func utcDay(at *time.Time) *string {
	if at == nil {
		return nil
	}
	return new(at.UTC().Format(time.DateOnly))
}
