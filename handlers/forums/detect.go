package forums

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
)

// Limits of what comes without a session: calls of webhooks by one address.
var hookLimit = pg.Limit{Burst: 60, Per: time.Minute}

// Detect is a member's word that something was posted and does not appear. He
// gets back to the forum, or to the message where it is here already.
func (h *Handlers) Detect(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	slug := c.Param("slug")
	out, err := forums.DetectMessage(c.Request().Context(), h.DB.DB, slug, forums.Detection{URL: c.FormValue("url")}, h.Now())
	done := "underway"
	switch _, refused := errors.AsType[*pg.InputError](err); {
	case refused:
		done = "closed"
	case err != nil:
		return err
	case out.Serial != 0:
		return c.Redirect(http.StatusSeeOther, "/messages/"+strconv.FormatInt(out.Serial, 10))
	case out.Kicked:
		done = "looking"
	}
	return c.Redirect(http.StatusSeeOther, "/forums/"+slug+"?done="+done)
}

// APIDetect is the same for programs.
func (h *Handlers) APIDetect(c echo.Context) error {
	var in struct {
		Sender string     `json:"sender"`
		URL    string     `json:"url"`
		SentAt *time.Time `json:"sent_at"`
	}
	if c.Request().ContentLength != 0 {
		if err := web.Decode(c, &in); err != nil {
			return err
		}
	}
	ctx := c.Request().Context()
	out, err := forums.DetectMessage(ctx, h.DB.DB, c.Param("slug"), forums.Detection{Sender: in.Sender, URL: in.URL, SentAt: in.SentAt},
		h.Now())
	if err != nil {
		return err
	}
	if out.Serial != 0 {
		m, err := forums.MessageBySerial(ctx, h.DB.DB, out.Serial)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, showMessage(m, members.Asking(ctx)))
	}
	return c.JSON(http.StatusAccepted, detected(out))
}

// apiDetected says whether the forum is read now, or was already.
type apiDetected struct {
	Asked   bool   `json:"asked"`
	Message string `json:"message"`
}

func detected(out forums.Detected) apiDetected {
	if out.Kicked {
		return apiDetected{true, "the forum is being updated now"}
	}
	return apiDetected{false, "an update is running"}
}

// Hook is called by a program at the forum itself when something was posted
// there. Its address is the secret; what it sends is not read.
func (h *Handlers) Hook(c echo.Context) error {
	ctx := c.Request().Context()
	if err := hookLimit.Take(ctx, h.DB.DB, "hook:"+web.ClientAddress(c), "calls of webhooks", h.Now()); err != nil {
		return err
	}
	if err := forums.CheckHook(ctx, h.DB.DB, c.Param("slug"), c.Param("key")); err != nil {
		return err
	}
	out, err := forums.DetectMessage(ctx, h.DB.DB, c.Param("slug"), forums.Detection{}, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, detected(out))
}

// APIRenewHook makes the address of a forum's webhook and shows it this once.
func (h *Handlers) APIRenewHook(c echo.Context) error {
	slug := c.Param("slug")
	key, err := forums.RenewHook(c.Request().Context(), h.DB.DB, slug)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]string{"url": h.URL + "/hooks/forums/" + slug + "/" + key})
}
