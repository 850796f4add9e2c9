package forums_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/forums"
	"laurel/handlers/handlerstest"
	"laurel/models/forums"
)

func TestThreadPage(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	list := []forums.NewMessage{s.Message(-90*time.Hour, "0", "", "A plan", "first")}
	for i := range 60 {
		list = append(list, s.Message(-time.Duration(80-i)*time.Hour, fmt.Sprint(i+1), fmt.Sprint(i/2)+"@example.org", "Re: A plan", "> quoted\nanswer"))
	}
	list[3].Body, list[4].Subject, list[5].URL = strings.Repeat("long ", 900), "Another plan", "javascript:alert(1)"
	serials := s.StoreMessages(t, list...)
	head := serials[list[0].URL]
	page := fmt.Sprintf("/forums/news/threads/%d", head)
	first := bob.Get(page).Is(t, http.StatusOK, "A plan", "61 messages", "Messages 1 to 50 of 61", "Later messages", "1 quoted line", "Read the whole message", "Subject: <bdi>Another plan</bdi>",
		`href="https://lists.example.org/pipermail/news/0.html" rel="nofollow noopener"`, fmt.Sprintf(`href="/messages/%d"`, head), `class="letter in4"`, "People", `<span class="n">61`)
	if strings.Contains(first.Text, `href="javascript`) {
		t.Error("a link leads into a script")
	}
	bob.Get(page+"?part=2").Is(t, http.StatusOK, "Messages 51 to 61 of 61", "Earlier messages")
	for _, wrong := range []string{page + "?part=3", page + "?part=0", page + "?part=x", page + "?part=99999999999999999999", "/forums/news/threads/x", "/forums/news/threads/0", "/forums/none/threads/1", "/forums/news/threads/999999"} {
		bob.Get(wrong).Is(t, http.StatusNotFound)
	}
	if got := bob.Get(fmt.Sprintf("/forums/news/threads/%d", serials[list[9].URL])).Is(t, http.StatusFound); got.To() != page {
		t.Errorf("an answer leads to %s, want %s", got.To(), page)
	}
	bob.Get("/forums/news").Is(t, http.StatusOK, page, "60 replies<br>1 person", "<svg class=pulse")
}

func TestHistory(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	month := func(y int, m time.Month, n int) forums.MonthCount {
		return forums.MonthCount{Month: time.Date(y, m, 1, 0, 0, 0, 0, time.UTC), Messages: n}
	}
	h := handlers.History([]forums.MonthCount{month(1, 1, 3), month(1945, 2, 2), month(2025, 12, 7), month(2026, 3, 1)}, []forums.Period{
		{Period: "2026-March", Listed: 4, Stored: 1, CheckedAt: &now}, {Period: "2025q3"}, {Period: "2025-December", Listed: 7, Stored: 7, CheckedAt: &now}, {Period: "whenever"}, {Period: "20260201"}})
	words := fmt.Sprint(h.Undated, h.Early)
	for _, m := range h.Months {
		words += fmt.Sprintf(" %s:%d", m.Month.Format("06-01"), m.Messages)
		if m.Unread {
			words += "?"
		}
		if m.Missing > 0 {
			words += fmt.Sprintf("-%d", m.Missing)
		}
	}
	if want := "3 2 25-07:0? 25-08:0? 25-09:0? 25-10:0 25-11:0 25-12:7 26-01:0 26-02:0? 26-03:1-3"; words != want {
		t.Errorf("the history is %s, want %s", words, want)
	}
	if h := handlers.History(nil, nil); len(h.Months) != 0 {
		t.Errorf("of nothing it is %v", h)
	}
}
