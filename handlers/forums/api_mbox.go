package forums

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/forums"
)

// maxUpload is how long an upload may take to come.
const maxUpload = 15 * time.Minute

// APIUploadMbox stores the mails of a file in a forum of the kind mbox, as they come.
func (h *Handlers) APIUploadMbox(c echo.Context) error {
	_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(maxUpload)) // Without deadlines in a test's recorder.
	r := c.Request()
	out, err := forums.UploadMessages(r.Context(), h.DB.DB, c.Param("slug"), h.ReadMbox(r.Body), h.URL, h.Now)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return large
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}
