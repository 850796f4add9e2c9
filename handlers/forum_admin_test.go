package handlers

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"mime/multipart"
	"net/http"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/forums"
)

func TestForumsAdmin(t *testing.T) {
	t.Parallel()
	s, ann, bob := pagesSite(t)
	bob.get("/admin/forums").is(t, http.StatusForbidden)
	ann.get("/admin").is(t, http.StatusOK, "/admin/forums")
	ann.get("/admin/forums").is(t, http.StatusOK, "No forums yet. Paste an address above")
	ann.post("/admin/forums/looks", "url", "ftp://x").is(t, http.StatusUnprocessableEntity, "be an address such as", `value="ftp://x"`)
	page := ann.post("/admin/forums/looks", "url", "lists.example.org/pipermail/reality/#x")
	page.is(t, http.StatusSeeOther)
	address := page.to()
	ann.get(address).is(t, http.StatusOK, "Checking", `http-equiv="refresh"`, "Refresh", "https://lists.example.org/pipermail/reality/")
	ann.post(address+"/harvest", "slug", "x").is(t, http.StatusUnprocessableEntity, "o mailing list or forum found")

	look, ok, err := forums.ClaimInspection(t.Context(), s.DB.DB, s.now.Add(time.Minute), s.now)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, again, err := forums.ClaimInspection(t.Context(), s.DB.DB, s.now.Add(time.Minute), s.now); again || err != nil {
		t.Error("a look is claimed twice: ", err)
	}
	look.Kind, look.Base, look.Name, look.Robots, look.Periods = "pipermail", look.URL, "reality", "robots.txt allows it", 7
	if err := forums.AnswerInspection(t.Context(), s.DB.DB, &look, s.now); err != nil {
		t.Fatal(err)
	}
	ann.get(address).is(t, http.StatusOK, "Pipermail archive", "7 periods", "robots.txt allows it", `value="reality"`, "Add this forum")
	ann.post(address+"/harvest", "slug", "No slug", "name", "Reality").is(t, http.StatusUnprocessableEntity, "small letters", `value="No slug"`, "aria-invalid")
	ann.post(address+"/harvest", "slug", "reality", "name", "Reality", "from", "2011-06").leads(t, "/admin/forums/reality?done=harvest")
	ann.get("/forums/reality").is(t, http.StatusOK, "Reality", "No messages yet")
	ann.get(address).is(t, http.StatusOK, "Already added")
	ann.get("/admin/forums/looks/99").is(t, http.StatusNotFound)
	ann.get("/admin/forums/looks/x").is(t, http.StatusNotFound)
}

func TestForumAdmin(t *testing.T) {
	t.Parallel()
	s, ann, bob := pagesSite(t)
	const page = "/admin/forums/news"
	bob.get(page).is(t, http.StatusForbidden)
	ann.get(page).is(t, http.StatusNotFound)
	s.posted(t, s.post(-time.Hour, "1", "", "A plan", "x"))
	ann.get(page).is(t, http.StatusOK, "Open", "kick", "1 message", "every", "all of it", `value="1"`)
	if err := s.DB.Exec(`INSERT INTO forum_gaps (forum_id, address, reason, tries, first_at, tried_at, due_at) SELECT id, 'https://lists.example.org/7.html', 'it is <broken>', 3, @now, @now, @now FROM forums`, map[string]any{"now": s.now}).Error; err != nil {
		t.Fatal(err)
	}
	ann.get(page).is(t, http.StatusOK, "Could not be fetched", "it is &lt;broken&gt;", "3 times", "with the next run", "https://lists.example.org/7.html")

	ann.post(page+"/kick", "how", "burst").leads(t, page+"?done=kicked")
	ann.get(page).is(t, http.StatusOK, "Update starts within seconds", `hx-trigger="every 3s"`, `http-equiv="refresh"`, "Pause News")
	if _, _, ok, err := forums.Claim(t.Context(), s.DB.DB, "news", forums.Lease{ID: 9, Until: s.now.Add(time.Minute)}, s.now); err != nil || !ok {
		t.Fatal(ok, err)
	}
	ann.get(page).is(t, http.StatusOK, "Updating", "This run", "0 requests, 0 new", `aria-disabled="true"`, "Bursts are limited", "running")
	ann.post(page+"/state", "state", "paused").leads(t, page+"?done=saved")
	ann.post(page+"/kick", "how", "kick").is(t, http.StatusUnprocessableEntity, "open it first")
	ann.get(page).is(t, http.StatusOK, "Resume News")
	ann.post(page+"/state", "state", "finished").leads(t, page+"?done=saved")
	ann.post(page+"/kick", "how", "again").leads(t, page+"?done=kicked")
	ann.post(page+"/state", "state", "gone").is(t, http.StatusUnprocessableEntity)
	for gap, status := range map[string]int{"2.5": http.StatusSeeOther, "1": http.StatusSeeOther, "0.9": http.StatusUnprocessableEntity, "x": http.StatusUnprocessableEntity, "NaN": http.StatusUnprocessableEntity, "601": http.StatusUnprocessableEntity, "-1": http.StatusUnprocessableEntity} {
		ann.post(page+"/gap", "gap", gap).is(t, status)
	}
	ann.post("/admin/forums/none/state", "state", "open").is(t, http.StatusNotFound)
	ann.post("/admin/forums/none/kick").is(t, http.StatusNotFound)
	ann.post("/admin/forums/none/gap", "gap", "2").is(t, http.StatusNotFound)
}

func TestUploadMbox(t *testing.T) {
	t.Parallel()
	s, ann, bob := pagesSite(t)
	s.ForumKinds = append(s.ForumKinds, forums.KindMbox)
	s.restart()
	bob.post("/admin/forums/files", "slug", "old").is(t, http.StatusForbidden)
	ann.post("/admin/forums/files", "slug", "No slug", "name", "Old mails").is(t, http.StatusUnprocessableEntity, "small letters", `value="Old mails"`, "<details open>")
	ann.post("/admin/forums/files", "slug", "old", "name", "Old mails").leads(t, "/admin/forums/old")
	ann.get("/admin/forums/old").is(t, http.StatusOK, "Upload mail", `enctype="multipart/form-data"`, "Pause Old mails")
	bob.get("/forums/old").is(t, http.StatusOK, "An admin can upload mail files")
	s.ReadMbox = func(r io.Reader) iter.Seq2[forums.NewMessage, error] {
		return func(yield func(forums.NewMessage, error) bool) {
			text, err := io.ReadAll(r)
			if err != nil || string(text) != "mails" {
				yield(forums.NewMessage{}, &pg.InputError{Field: "file", Message: "this is no file of mails"})
				return
			}
			_ = yield(s.post(-time.Hour, "1", "", "A plan", "x"), nil) && yield(forums.NewMessage{}, nil)
		}
	}
	s.restart()
	sends := func(field, file string) answer {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile(field, "old.mbox")
		if err == nil {
			_, err = part.Write([]byte(file))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return ann.do(http.MethodPost, "/admin/forums/old/mbox", &body, "Content-Type", w.FormDataContentType(), "Sec-Fetch-Site", "same-origin")
	}
	sends("file", "mails").is(t, http.StatusOK, "1 new message, 1 unreadable", "upload")
	sends("file", "mails").is(t, http.StatusOK, "0 new messages, 1 already stored")
	sends("file", "nothing").is(t, http.StatusUnprocessableEntity, "his is no file of mails")
	sends("other", "mails").is(t, http.StatusUnprocessableEntity, "hoose a file of mails first")
	ann.post("/admin/forums/old/mbox").is(t, http.StatusUnprocessableEntity, "hoose a file of mails first")
	bob.get("/forums/old").is(t, http.StatusOK, "A plan")
}
