package badges

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
)

const (
	listCached = 5 * time.Minute  // How long others need not ask again.
	listValid  = 20 * time.Minute // How long an old list can be shown for the newest.
)

// StatusList is a list of revocations: a bit for each badge.
func (h *Handlers) StatusList(c echo.Context) error {
	number, err := strconv.Atoi(c.Param("list"))
	if err != nil || strconv.Itoa(number) != c.Param("list") || number < 1 || number > 1<<30 {
		return echo.ErrNotFound
	}
	places, err := badges.RevokedPlaces(c.Request().Context(), h.DB.DB, number)
	if err != nil {
		return err
	}
	var list openbadge.List
	for _, place := range places {
		if err := list.Revoke(place); err != nil {
			return err
		}
	}
	ring, err := h.badgeKeys(c)
	if err != nil {
		return err
	}
	key, err := ring.Signing()
	if err != nil {
		return err
	}
	at := h.Now().Truncate(listCached) // The same text for minutes, unless something was revoked.
	jwt, err := list.Sign(key, h.URL, h.listAddress(number), at, at.Add(listValid))
	if err != nil {
		return err
	}
	readElsewhere(c, listCached)
	return taggedFile(c, "application/vc+jwt", web.ETag(jwt), func() ([]byte, error) { return []byte(jwt), nil })
}
