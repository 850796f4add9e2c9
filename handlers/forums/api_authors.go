package forums

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
)

type apiAuthor struct {
	ID        int64      `json:"id"`
	Member    string     `json:"member"`
	Name      string     `json:"name"`
	Address   string     `json:"address"`
	Forum     string     `json:"forum"`
	State     string     `json:"state"`
	AddedBy   string     `json:"added_by"`
	AddedAt   time.Time  `json:"added_at"`
	DecidedBy string     `json:"decided_by"`
	DecidedAt *time.Time `json:"decided_at"`
}

func showAuthor(a forums.MessageAuthor) apiAuthor {
	return apiAuthor{a.ID, a.Member, a.Name, a.Address, a.Forum, a.State, a.AddedBy, a.AddedAt.UTC(), a.DecidedBy, web.UTC(a.DecidedAt)}
}

type authorInput struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Forum   string `json:"forum"`
}

// APIAuthors lists the names and addresses of a member.
func (h *Handlers) APIAuthors(c echo.Context) error {
	m, err := h.Managed(c)
	if err != nil {
		return err
	}
	list, err := forums.AuthorsOf(c.Request().Context(), h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	return web.SendList(c, list, "", showAuthor)
}

// APIAddAuthor says, or asks an admin, that a member writes under a name and address.
func (h *Handlers) APIAddAuthor(c echo.Context) error {
	m, err := h.Managed(c)
	if err != nil {
		return err
	}
	return h.addAuthor(c, m)
}

func (h *Handlers) addAuthor(c echo.Context, of *members.Member) error {
	var in authorInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	a, err := h.assignOrAsk(c, of, in.Name, in.Address, in.Forum)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if a.State != forums.AuthorSaid {
		status = http.StatusAccepted
	}
	return c.JSON(status, showAuthor(a))
}

// APIRemoveAuthor takes that back, with the messages.
func (h *Handlers) APIRemoveAuthor(c echo.Context) error {
	m, err := h.Managed(c)
	if err != nil {
		return err
	}
	return h.dropAuthor(c, m.ID)
}

func (h *Handlers) dropAuthor(c echo.Context, member int64) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	if err := forums.DropAuthor(c.Request().Context(), h.DB.DB, member, id, h.Now()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// APIListUnmatchedAuthors lists what is nobody's.
func (h *Handlers) APIListUnmatchedAuthors(c echo.Context) error {
	list, err := forums.AuthorsOf(c.Request().Context(), h.DB.DB, 0)
	if err != nil {
		return err
	}
	return web.SendList(c, list, "", showAuthor)
}

// APIAddUnmatchedAuthor says that a name and address are nobody's.
func (h *Handlers) APIAddUnmatchedAuthor(c echo.Context) error {
	return h.addAuthor(c, &members.Member{})
}

// APIRemoveUnmatchedAuthor takes that back.
func (h *Handlers) APIRemoveUnmatchedAuthor(c echo.Context) error { return h.dropAuthor(c, 0) }

type apiSuggestion struct {
	ID       string   `json:"id"`
	Member   string   `json:"member"`
	Name     string   `json:"name"`
	Address  string   `json:"address"`
	Forum    string   `json:"forum"`
	Asked    bool     `json:"asked"`
	Reasons  []string `json:"reasons"`
	Messages int      `json:"messages"`
}

// APISuggestions lists what members ask for, and what addresses hint at.
func (h *Handlers) APISuggestions(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	list, err := forums.AuthorSuggestions(c.Request().Context(), h.DB.DB, limit)
	if err != nil {
		return err
	}
	return web.SendList(c, list, "", func(s forums.AuthorSuggestion) apiSuggestion {
		return apiSuggestion{s.ID, s.Member, s.Name, s.Address, s.Forum, s.Reasons == forums.AuthorAsked, s.ReasonWords(), s.Messages}
	})
}

// APIDecideSuggestion accepts or dismisses one of them.
func (h *Handlers) APIDecideSuggestion(c echo.Context) error {
	var in struct {
		Decision string `json:"decision"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	accept, err := decision(in.Decision)
	if err != nil {
		return err
	}
	a, err := forums.DecideAuthor(c.Request().Context(), h.DB.DB, c.Param("id"), accept, h.Viewer(c).Name, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, showAuthor(a))
}
