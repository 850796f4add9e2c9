package awards

import (
	"errors"
	"net/http"
	"regexp"

	"github.com/labstack/echo/v4"

	"laurel/models/awards/ingest"
	pg "laurel/models/db"
)

var sourceNames = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// APIFirehose reads lines of analytics and appends the events that awards can
// want. What was read before the stream broke off is kept; sending it again is no
// harm.
func (h *Handlers) APIFirehose(c echo.Context) error {
	source := c.QueryParam("source")
	if source == "" {
		source = "firehose"
	}
	if !sourceNames.MatchString(source) {
		return &pg.InputError{Field: "source", Message: "this must be letters, digits, _ and - only, at most 64"}
	}
	in, err := ingest.Read(c.Request().Context(), h.DB.DB, c.Request().Body, source, h.Now)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return large
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, in)
}
