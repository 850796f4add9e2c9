package forums

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	views "laurel/views/forums"
)

// AddMbox adds a forum for files of mails.
func (h *Handlers) AddMbox(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	slug := strings.ToLower(strings.TrimSpace(c.FormValue("slug")))
	n := forums.New{Slug: slug, Name: c.FormValue("name"), Kind: forums.KindMbox, AddedBy: h.Viewer(c).Name}
	f, _, err := forums.Add(c.Request().Context(), h.DB.DB, n, h.ForumKinds, h.Now())
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showAdmin(c, http.StatusUnprocessableEntity, views.Admin{Files: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/forums/"+f.Slug)
}

// UploadMbox stores the mails of a file that an admin chose, as they come, and says
// what became of them.
func (h *Handlers) UploadMbox(c echo.Context) error {
	_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(maxUpload)) // Without deadlines in a test's recorder.
	file, err := chosenFile(c.Request())
	if err != nil {
		return h.forumRefused(c, err)
	}
	out, err := forums.UploadMessages(c.Request().Context(), h.DB.DB, c.Param("slug"), h.ReadMbox(file), h.URL, h.Now)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return large
	}
	if err != nil {
		return h.forumRefused(c, err)
	}
	up := views.Upload(out)
	return h.showAdminForum(c, http.StatusOK, views.AdminForum{Uploaded: &up})
}

// chosenFile is the file of a form, to be read while it comes.
func chosenFile(r *http.Request) (io.Reader, error) {
	parts, err := r.MultipartReader()
	for err == nil {
		part, next := parts.NextPart()
		if err = next; err == nil && part.FormName() == "file" && part.FileName() != "" {
			return part, nil
		}
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, large
	}
	return nil, &pg.InputError{Field: "file", Message: "choose an mbox file first"}
}
