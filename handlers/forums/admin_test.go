package forums_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"mime/multipart"
	"net/http"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	pg "laurel/models/db"
	"laurel/models/forums"
)

func TestForumsAdmin(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	bob.Get("/admin/forums").Is(t, http.StatusForbidden)
	ann.Get("/admin").Is(t, http.StatusOK, "/admin/forums")
	ann.Get("/admin/forums").Is(t, http.StatusOK, "No forums yet. Paste an address above")
	ann.Post("/admin/forums/looks", "url", "ftp://x").Is(t, http.StatusUnprocessableEntity, "be an address such as", `value="ftp://x"`)
	page := ann.Post("/admin/forums/looks", "url", "lists.example.org/pipermail/reality/#x")
	page.Is(t, http.StatusSeeOther)
	address := page.To()
	ann.Get(address).Is(t, http.StatusOK, "Checking", `http-equiv="refresh"`, "Refresh", "https://lists.example.org/pipermail/reality/")
	ann.Post(address+"/harvest", "slug", "x").Is(t, http.StatusUnprocessableEntity, "o mailing list or forum found")

	look, ok, err := forums.ClaimInspection(t.Context(), s.DB.DB, s.Time.Add(time.Minute), s.Time)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, again, err := forums.ClaimInspection(t.Context(), s.DB.DB, s.Time.Add(time.Minute), s.Time); again || err != nil {
		t.Error("a look is claimed twice: ", err)
	}
	look.Kind, look.Base, look.Name, look.Robots, look.Periods = "pipermail", look.URL, "reality", "robots.txt allows it", 7
	if err := forums.AnswerInspection(t.Context(), s.DB.DB, &look, s.Time); err != nil {
		t.Fatal(err)
	}
	ann.Get(address).Is(t, http.StatusOK, "Pipermail archive", "7 periods", "robots.txt allows it", `value="reality"`, "Add this forum")
	ann.Post(address+"/harvest", "slug", "No slug", "name", "Reality").Is(t, http.StatusUnprocessableEntity, "lower-case letters", `value="No slug"`, "aria-invalid")
	ann.Post(address+"/harvest", "slug", "reality", "name", "Reality", "from", "2011-06").LeadsTo(t, "/admin/forums/reality?done=harvest")
	ann.Get("/forums/reality").Is(t, http.StatusOK, "Reality", "No messages yet")
	ann.Get(address).Is(t, http.StatusOK, "Already added")
	ann.Get("/admin/forums/looks/99").Is(t, http.StatusNotFound)
	ann.Get("/admin/forums/looks/x").Is(t, http.StatusNotFound)
}

func TestForumAdmin(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	const page = "/admin/forums/news"
	bob.Get(page).Is(t, http.StatusForbidden)
	ann.Get(page).Is(t, http.StatusNotFound)
	s.StoreMessages(t, s.Message(-time.Hour, "1", "", "A plan", "x"))
	ann.Get(page).Is(t, http.StatusOK, "Open", "kick", "1 message", "every", "all of it", `value="1"`)
	if err := s.DB.Exec(`INSERT INTO forum_gaps (forum_id, address, reason, tries, first_at, tried_at, due_at) SELECT id, 'https://lists.example.org/7.html', 'it is <broken>', 3, @now, @now, @now FROM forums`, map[string]any{"now": s.Time}).Error; err != nil {
		t.Fatal(err)
	}
	ann.Get(page).Is(t, http.StatusOK, "Could not be fetched", "it is &lt;broken&gt;", "3 times", "with the next run", "https://lists.example.org/7.html")

	ann.Post(page+"/kick", "how", "burst").LeadsTo(t, page+"?done=kicked")
	ann.Get(page).Is(t, http.StatusOK, "Update starts within seconds", `hx-trigger="every 3s"`, `http-equiv="refresh"`, "Pause News")
	if _, ok, err := forums.Claim(t.Context(), s.DB.DB, "news", forums.Lease{ID: 9, Until: s.Time.Add(time.Minute)}, s.Time); err != nil || !ok {
		t.Fatal(ok, err)
	}
	ann.Get(page).Is(t, http.StatusOK, "Updating", "This run", "0 requests, 0 new", `aria-disabled="true"`, "Bursts are limited", "running")
	ann.Post(page+"/state", "state", "paused").LeadsTo(t, page+"?done=saved")
	ann.Post(page+"/kick", "how", "kick").Is(t, http.StatusUnprocessableEntity, "open it first")
	ann.Get(page).Is(t, http.StatusOK, "Resume News")
	ann.Post(page+"/state", "state", "finished").LeadsTo(t, page+"?done=saved")
	ann.Post(page+"/kick", "how", "again").LeadsTo(t, page+"?done=kicked")
	ann.Post(page+"/state", "state", "gone").Is(t, http.StatusUnprocessableEntity)
	for gap, status := range map[string]int{"2.5": http.StatusSeeOther, "1": http.StatusSeeOther, "0.9": http.StatusUnprocessableEntity, "x": http.StatusUnprocessableEntity, "NaN": http.StatusUnprocessableEntity, "601": http.StatusUnprocessableEntity, "-1": http.StatusUnprocessableEntity} {
		ann.Post(page+"/gap", "gap", gap).Is(t, status)
	}
	ann.Post("/admin/forums/none/state", "state", "open").Is(t, http.StatusNotFound)
	ann.Post("/admin/forums/none/kick").Is(t, http.StatusNotFound)
	ann.Post("/admin/forums/none/gap", "gap", "2").Is(t, http.StatusNotFound)
}

func TestUploadMbox(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	s.ForumKinds = append(s.ForumKinds, forums.KindMbox)
	s.Restart()
	bob.Post("/admin/forums/files", "slug", "old").Is(t, http.StatusForbidden)
	ann.Post("/admin/forums/files", "slug", "No slug", "name", "Old mails").Is(t, http.StatusUnprocessableEntity, "lower-case letters", `value="Old mails"`, "<details open>")
	ann.Post("/admin/forums/files", "slug", "old", "name", "Old mails").LeadsTo(t, "/admin/forums/old")
	ann.Get("/admin/forums/old").Is(t, http.StatusOK, "Upload mail", `enctype="multipart/form-data"`, "Pause Old mails")
	bob.Get("/forums/old").Is(t, http.StatusOK, "An admin can upload mail files")
	s.ReadMbox = func(r io.Reader) iter.Seq2[forums.NewMessage, error] {
		return func(yield func(forums.NewMessage, error) bool) {
			text, err := io.ReadAll(r)
			if err != nil || string(text) != "mails" {
				yield(forums.NewMessage{}, &pg.InputError{Field: "file", Message: "this is no file of mails"})
				return
			}
			_ = yield(s.Message(-time.Hour, "1", "", "A plan", "x"), nil) && yield(forums.NewMessage{}, nil)
		}
	}
	s.Restart()
	sends := func(field, file string) handlerstest.Answer {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile(field, "old.mbox")
		if err == nil {
			_, err = part.Write([]byte(file))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return ann.Do(http.MethodPost, "/admin/forums/old/mbox", &body, "Content-Type", w.FormDataContentType(), "Sec-Fetch-Site", "same-origin")
	}
	sends("file", "mails").Is(t, http.StatusOK, "1 new message, 1 unreadable", "upload")
	sends("file", "mails").Is(t, http.StatusOK, "0 new messages, 1 already stored")
	sends("file", "nothing").Is(t, http.StatusUnprocessableEntity, "his is no file of mails")
	sends("other", "mails").Is(t, http.StatusUnprocessableEntity, "hoose an mbox file")
	ann.Post("/admin/forums/old/mbox").Is(t, http.StatusUnprocessableEntity, "hoose an mbox file")
	bob.Get("/forums/old").Is(t, http.StatusOK, "A plan")
}
