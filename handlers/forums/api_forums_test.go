package forums_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	handlers "laurel/handlers/forums"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/forums"
	"laurel/models/members"
)

func TestAPIForums(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss, ann := s.Program(t, s.Member(t, "boss", members.RoleAdmin)), s.Program(t, s.Member(t, "ann", members.RoleMember))
	const list = `{"slug":"news","kind":"pipermail","url":"https://lists.example.org/pipermail/news","name":"News"}`
	ann.Call("POST", "/forums", list).Refused(t, http.StatusForbidden, "")
	made := handlerstest.Read[handlers.APIForum](t, boss.Call("POST", "/forums", list), http.StatusCreated)
	if made.URL != "https://lists.example.org/pipermail/news/" || made.State != "open" || made.NextRunAt == nil {
		t.Errorf("the forum is %+v", made)
	}
	handlerstest.Read[handlers.APIForum](t, boss.Call("POST", "/forums", list), http.StatusOK)
	for body, field := range map[string]string{
		`{"slug":"news","kind":"pipermail","url":"https://other.example.org/"}`:                           "slug",
		`{"slug":"news","kind":"hyperkitty","url":"https://lists.example.org/pipermail/news/"}`:           "kind",
		`{"slug":"other","kind":"pipermail","url":"https://lists.example.org/pipermail/news/"}`:           "url",
		`{"slug":"Other list","kind":"pipermail","url":"https://lists.example.org/pipermail/other/"}`:     "slug",
		`{"slug":"other","kind":"gopher","url":"https://lists.example.org/pipermail/other/"}`:             "kind",
		`{"slug":"other","kind":"pipermail","url":"ftp://lists.example.org/"}`:                            "url",
		`{"slug":"other","kind":"pipermail","url":"https://a:b@lists.example.org/"}`:                      "url",
		`{"slug":"other","kind":"pipermail","url":"https://lists.example.org/o/","from":"June"}`:          "from",
		`{"slug":"other","kind":"pipermail","url":"https://lists.example.org/pipermail/other/","more":1}`: "more",
	} {
		boss.Call("POST", "/forums", body).Refused(t, http.StatusUnprocessableEntity, field)
	}
	if got := handlerstest.Read[handlers.APIForum](t, boss.Call("POST", "/forums/news/kick", `{"burst":true}`), http.StatusAccepted); got.KickedAt == nil {
		t.Errorf("the kicked forum is %+v", got)
	}
	handlerstest.Read[handlers.APIForum](t, boss.Call("POST", "/forums/news/kick", ""), http.StatusAccepted)
	boss.Call("POST", "/forums/none/kick", "").Refused(t, http.StatusNotFound, "")
	if got := handlerstest.Read[handlers.APIForum](t, boss.Call("PATCH", "/forums/news", `{"state":"finished"}`), http.StatusOK); got.State != "finished" || got.NextRunAt != nil || got.KickedAt != nil {
		t.Errorf("the finished forum is %+v", got)
	}
	boss.Call("POST", "/forums/news/kick", "").Refused(t, http.StatusUnprocessableEntity, "state")
	boss.Call("PATCH", "/forums/news", `{"state":"gone"}`).Refused(t, http.StatusUnprocessableEntity, "state")
	if all := handlerstest.Read[web.List[handlers.APIForum]](t, ann.Call("GET", "/forums", ""), http.StatusOK); len(all.Items) != 1 || all.Items[0].Slug != "news" {
		t.Errorf("the forums are %+v", all)
	}
}

func TestAPIMessages(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ann := s.Member(t, "ann", members.RoleMember)
	letters(t, s, 5)
	p := s.Program(t, ann)
	first := handlerstest.Read[web.List[handlers.APIMessage]](t, p.Call("GET", "/messages?limit=2", ""), http.StatusOK)
	if len(first.Items) != 2 || first.Items[0].Subject != "Letter 4" || first.Next == "" {
		t.Fatalf("the newest are %+v", first)
	}
	rest := handlerstest.Read[web.List[handlers.APIMessage]](t, p.Call("GET", "/messages?limit=5&cursor="+first.Next, ""), http.StatusOK)
	if len(rest.Items) != 3 || rest.Items[0].Subject != "Letter 2" || rest.Next != "" {
		t.Errorf("the others are %+v", rest)
	}
	since := handlerstest.Read[web.List[handlers.APIMessage]](t, p.Call("GET", "/messages?since_serial=0&limit=3", ""), http.StatusOK)
	if len(since.Items) != 3 || since.Items[0].Serial >= since.Items[1].Serial || since.Next == "" {
		t.Errorf("in their order they are %+v", since)
	}
	if more := handlerstest.Read[web.List[handlers.APIMessage]](t, p.Call("GET", "/messages?since_serial=0&limit=3&cursor="+since.Next, ""), http.StatusOK); len(more.Items) != 2 {
		t.Errorf("then come %+v", more)
	}
	if mine := handlerstest.Read[web.List[handlers.APIMessage]](t, p.Call("GET", "/members/ann/messages", ""), http.StatusOK); len(mine.Items) != 5 || mine.Items[0].Member != "ann" {
		t.Errorf("ann wrote %+v", mine)
	}
	if about := handlerstest.Read[web.List[handlers.APIMessage]](t, p.Call("GET", "/messages?reference=member:ann&q=letter", ""), http.StatusOK); len(about.Items) != 5 || len(about.Items[0].References) != 1 {
		t.Errorf("about ann are %+v", about)
	}
	for address, field := range map[string]string{"forum=none": "forum", "member=none": "member", "reference=x": "reference", "since_serial=-1": "since_serial", "cursor=x": "cursor", "limit=0": "limit"} {
		p.Call("GET", "/messages?"+address, "").Refused(t, http.StatusUnprocessableEntity, field)
	}
}

// letters are messages of ann about herself, as a harvester stores them.
func letters(t *testing.T, s *handlerstest.Site, n int) {
	t.Helper()
	ctx, db := t.Context(), s.DB.DB
	_, _, err := forums.Add(ctx, db, forums.New{Slug: "news", Kind: "pipermail", URL: "https://lists.example.org/pipermail/news/"}, s.ForumKinds, s.Time)
	if err != nil {
		t.Fatal(err)
	}
	ann, err := members.ByName(ctx, db, "ann")
	if err == nil {
		_, err = forums.AssignAuthor(ctx, db, forums.MessageAuthor{MemberID: ann.ID, Name: "Ann", Address: "ann at example.org", AddedBy: "ann"}, s.Time)
	}
	lease := forums.Lease{ID: 1, Until: s.Time.Add(time.Minute)}
	h, ok, err2 := forums.Claim(ctx, db, "news", lease, s.Time)
	if err != nil || err2 != nil || !ok {
		t.Fatal(err, err2, ok)
	}
	var list []forums.NewMessage
	for i := range n {
		at := s.Time.Add(time.Duration(i-10) * time.Hour)
		list = append(list, forums.NewMessage{URL: fmt.Sprintf("https://lists.example.org/pipermail/news/%d.html", i), MessageID: fmt.Sprintf("%d@example.org", i), Author: "Ann", Address: "ann at example.org",
			Subject: fmt.Sprintf("Letter %d", i), SentAt: &at, SentShown: at.String(), Body: "See http://laurel.test/u/ann", Links: []string{"http://laurel.test/u/ann"}})
	}
	if got, err := h.Store(ctx, db, forums.Batch{Messages: list, Own: s.URL}, s.Time); err != nil || got.New != n {
		t.Fatal(got, err)
	}
}
