package forums_test

import (
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/forums"
	"laurel/handlers/handlerstest"
	"laurel/handlers/metrics"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
)

func TestSomebodyMissesAMessage(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ann := s.Member(t, "ann", members.RoleMember)
	letters(t, s, 3)
	p := s.Program(t, ann)
	if got := handlerstest.Read[handlers.APIMessage](t, p.Call("POST", "/forums/news/detect", `{"url":"https://lists.example.org/pipermail/news/1.html"}`), http.StatusOK); got.Subject != "Letter 1" {
		t.Errorf("the message that is here is %+v", got)
	}
	sent := s.Time.Add(-9*time.Hour + time.Minute).Format(time.RFC3339)
	if got := handlerstest.Read[handlers.APIMessage](t, p.Call("POST", "/forums/news/detect", fmt.Sprintf(`{"sender":"ann@example.org","sent_at":%q}`, sent)), http.StatusOK); got.Subject != "Letter 1" {
		t.Errorf("by sender and time it is %+v", got)
	}
	const other = `{"url":"https://lists.example.org/pipermail/news/99.html"}`
	if got := handlerstest.Read[handlers.APIDetected](t, p.Call("POST", "/forums/news/detect", other), http.StatusAccepted); !got.Asked {
		t.Errorf("the first who misses one: %+v", got)
	}
	if got := handlerstest.Read[handlers.APIDetected](t, p.Call("POST", "/forums/news/detect", ""), http.StatusAccepted); got.Asked {
		t.Errorf("the second within a minute: %+v", got)
	}
	if f, err := forums.BySlug(t.Context(), s.DB.DB, "news"); err != nil || f.KickedAt == nil {
		t.Errorf("the forum is %+v, %v", f, err)
	}
	s.Time = s.Time.Add(time.Minute)
	if got := handlerstest.Read[handlers.APIDetected](t, p.Call("POST", "/forums/news/detect", other), http.StatusAccepted); !got.Asked {
		t.Errorf("a minute later: %+v", got)
	}
	p.Call("POST", "/forums/none/detect", other).Refused(t, http.StatusNotFound, "")
	p.Call("POST", "/forums/news/detect", `{"who":1}`).Refused(t, http.StatusUnprocessableEntity, "who")
	handlerstest.Program{T: t, Site: s, Token: ""}.Call("POST", "/forums/news/detect", other).Refused(t, http.StatusUnauthorized, "")
}

func TestForumHooks(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss := s.Member(t, "boss", members.RoleAdmin)
	s.Member(t, "ann", members.RoleMember)
	letters(t, s, 1)
	p := s.Program(t, boss)
	calls := func(address string) int {
		w := httptest.NewRecorder()
		s.Echo.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "POST", address, strings.NewReader("whatever a list server says")))
		return w.Code
	}
	if got := calls(s.URL + "/hooks/forums/news/"); got != http.StatusNotFound {
		t.Errorf("a forum without a hook: %d", got)
	}
	if got := calls(s.URL + "/hooks/forums/news/guess"); got != http.StatusNotFound {
		t.Errorf("a guess: %d", got)
	}
	first := handlerstest.Read[map[string]string](t, p.Call("POST", "/forums/news/hook", ""), http.StatusCreated)["url"]
	if got := calls(first); got != http.StatusAccepted {
		t.Errorf("the hook: %d", got)
	}
	if f, err := forums.BySlug(t.Context(), s.DB.DB, "news"); err != nil || f.KickedAt == nil || strings.Contains(first, string(f.HookHash)) {
		t.Errorf("the forum is %+v, %v", f, err)
	}
	second := handlerstest.Read[map[string]string](t, p.Call("POST", "/forums/news/hook", ""), http.StatusCreated)["url"]
	if got := []int{calls(first), calls(second)}; got[0] != http.StatusNotFound || got[1] != http.StatusAccepted {
		t.Errorf("the old one and the new one: %v", got)
	}
	for range 60 {
		calls(s.URL + "/hooks/forums/news/guess")
	}
	if got := calls(second); got != http.StatusTooManyRequests {
		t.Errorf("after a minute of guesses: %d", got)
	}
	p.Call("POST", "/forums/none/hook", "").Refused(t, http.StatusNotFound, "")
}

func TestOneAddressHasOneHarvester(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	p := s.Program(t, s.Member(t, "boss", members.RoleAdmin))
	handlerstest.Read[handlers.APIForum](t, p.Call("POST", "/forums", `{"slug":"news","kind":"pipermail","url":"HTTPS://Lists.Example.org:443/pipermail/news/index.html"}`), http.StatusCreated)
	for _, address := range []string{"https://lists.example.org/pipermail/news/", "https://lists.example.org/pipermail/news", "http://lists.example.org/pipermail/news/", "https://LISTS.example.org/pipermail/news/index.html#x"} {
		p.Call("POST", "/forums", fmt.Sprintf(`{"slug":"other","kind":"hyperkitty","url":%q}`, address)).Refused(t, http.StatusUnprocessableEntity, "kind")
		p.Call("POST", "/forums", fmt.Sprintf(`{"slug":"other","kind":"pipermail","url":%q}`, address)).Refused(t, http.StatusUnprocessableEntity, "url")
		handlerstest.Read[handlers.APIForum](t, p.Call("POST", "/forums", fmt.Sprintf(`{"slug":"news","kind":"pipermail","url":%q}`, address)), http.StatusOK)
	}
	handlerstest.Read[handlers.APIForum](t, p.Call("POST", "/forums", `{"slug":"other","kind":"pipermail","url":"https://lists.example.org/pipermail/newsletter/"}`), http.StatusCreated)
	if got := handlerstest.Read[handlers.APIForum](t, p.Call("PATCH", "/forums/news", `{"gap_ms":2500,"from":"2011-06"}`), http.StatusOK); got.GapSeconds != 2.5 || got.State != "open" || got.NextRunAt == nil || got.NextRunAt.After(s.Time) {
		t.Errorf("at another pace it is %+v", got)
	}
	p.Call("PATCH", "/forums/news", `{"gap_ms":999}`).Refused(t, http.StatusUnprocessableEntity, "gap_ms")
	p.Call("PATCH", "/forums/news", `{"from":"June"}`).Refused(t, http.StatusUnprocessableEntity, "from")
	p.Call("PATCH", "/forums/news", `{}`).Refused(t, http.StatusUnprocessableEntity, "state")
}

func TestMailboxFilesAreUploaded(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.ForumKinds = append(s.ForumKinds, forums.KindMbox)
	s.ReadMbox = func(r io.Reader) iter.Seq2[forums.NewMessage, error] { // A line is a message.
		return func(yield func(forums.NewMessage, error) bool) {
			text, err := io.ReadAll(r)
			for line := range strings.FieldsSeq(string(text)) {
				url := "mbox:" + line
				if line == "?" {
					url = ""
				}
				if !yield(forums.NewMessage{URL: url, Author: "Ann", Subject: line}, nil) {
					return
				}
			}
			if err != nil || strings.HasSuffix(string(text), "!") {
				yield(forums.NewMessage{}, &pg.InputError{Field: "body", Message: "it breaks off"})
			}
		}
	}
	s.Restart()
	p := s.Program(t, s.Member(t, "boss", members.RoleAdmin))
	if got := handlerstest.Read[handlers.APIForum](t, p.Call("POST", "/forums", `{"slug":"old","kind":"mbox"}`), http.StatusCreated); got.URL != "mbox:old" || got.NextRunAt != nil {
		t.Errorf("the forum is %+v", got)
	}
	p.Call("POST", "/forums", `{"slug":"old2","kind":"mbox","url":"https://example.org/a.mbox"}`).Refused(t, http.StatusUnprocessableEntity, "url")
	for _, tt := range []struct {
		file string
		want forums.Upload
	}{{"a b ? c", forums.Upload{New: 3, Unreadable: 1}}, {"a b ? c", forums.Upload{Duplicates: 3, Unreadable: 1}}, {"d d", forums.Upload{New: 1, Duplicates: 1}}} {
		if got := handlerstest.Read[forums.Upload](t, upload(p, "old", tt.file), http.StatusOK); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.file, got, tt.want)
		}
	}
	upload(p, "old", "e f !").Refused(t, http.StatusUnprocessableEntity, "body")
	if got := handlerstest.Read[forums.Upload](t, upload(p, "old", "e f"), http.StatusOK); got.Duplicates != 2 {
		t.Errorf("what came before it broke off: %+v", got)
	}
	p.Call("POST", "/forums/old/kick", "").Refused(t, http.StatusUnprocessableEntity, "slug")
	p.Call("POST", "/forums/old/detect", "").Refused(t, http.StatusUnprocessableEntity, "slug")
	if got := handlerstest.Read[handlers.APIForum](t, p.Call("PATCH", "/forums/old", `{"state":"open","gap_ms":2000}`), http.StatusOK); got.NextRunAt != nil || got.Messages != 7 {
		t.Errorf("opened it is %+v", got)
	}
	if _, ok, err := forums.Claim(t.Context(), s.DB.DB, "", forums.Lease{ID: 1, Until: s.Time}, s.Time.Add(1000*time.Hour)); ok || err != nil {
		t.Errorf("it is due some day: %t, %v", ok, err)
	}
	s.Member(t, "ann", members.RoleMember)
	letters(t, s, 0)
	upload(p, "news", "a").Refused(t, http.StatusUnprocessableEntity, "slug")
	upload(p, "none", "a").Refused(t, http.StatusNotFound, "")
}

// upload sends a file.
func upload(p handlerstest.Program, slug, file string) handlerstest.Answer {
	p.T.Helper()
	r := httptest.NewRequestWithContext(p.T.Context(), "POST", p.Site.URL+"/api/v1/forums/"+slug+"/mbox", strings.NewReader(file))
	r.Header.Set("Authorization", "Bearer "+p.Token)
	r.Header.Set("Content-Type", "application/mbox")
	w := httptest.NewRecorder()
	p.Site.Echo.ServeHTTP(w, r)
	handlerstest.CheckAnswer(p.T, r, w.Code, w.Result().Header, w.Body.String())
	return handlerstest.Answer{Response: w.Result(), Text: w.Body.String()}
}

func TestMetricsOfForums(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	letters(t, s, 3)
	rec := httptest.NewRecorder()
	metrics.New(s.DB, s.Now, s.Log).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	for _, want := range []string{`laurel_forum_messages{forum="news"} 3`, `laurel_forum_requests_total{forum="news"} 0`, `laurel_forum_gaps{forum="news"} 0`, `laurel_forum_failing{forum="news"} 0`} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("no %q among the metrics", want)
		}
	}
}
