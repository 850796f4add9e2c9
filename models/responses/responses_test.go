package responses_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/responses"
)

func fetchOf(t *testing.T, a members.Account, id string, at time.Time) *responses.Fetch {
	t.Helper()
	return &responses.Fetch{ID: id, AccountID: a.ID, Handle: a.Handle, StartedAt: at}
}

// Equal bodies are stored once; a deleted member's answers are erased but for bodies that
// somebody else was sent.
func TestDeletedMembersAnswersAreErased(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	now := modelstest.Noon
	var list []members.Account
	for _, name := range []string{"ann", "bob"} {
		m := modelstest.Member(t, db, name, map[string]string{"codeforces": name}, now)
		of, err := members.AccountsOf(t.Context(), db, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, of...)
	}
	own := func(name string) []responses.Answer {
		return []responses.Answer{
			{Source: "codeforces", Address: "https://codeforces.example/" + name, Status: 200, Body: []byte("list of " + name), Readable: true},
			{Source: "codeforces", Address: "https://codeforces.example/ratings", Status: 200, Body: []byte("[]"), Readable: true,
				Header: map[string][]string{"Set-Cookie": {"a=b"}, "X-Secret": {"c"}}},
		}
	}
	for i, a := range list {
		_, err := responses.Store(t.Context(), db, responses.Owner{Fetch: fetchOf(t, a, a.Handle, now)}, own(a.Handle), now.Add(time.Duration(i)))
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := responses.OfFetch(t.Context(), db, "bob")
	if err != nil || len(got) != 2 || string(got[0].Body) != "list of bob" || string(got[1].Body) != "[]" ||
		!cmp.Equal(got[1].Header, map[string][]string{"Set-Cookie": {"a=b"}}) {
		t.Errorf("stored %+v (%v)", got, err)
	}
	if n := count(t, db, "response_bodies"); n != 3 {
		t.Errorf("%d bodies, want 3", n)
	}
	if err := accounts.Delete(t.Context(), db, list[0].MemberID); err != nil {
		t.Fatal(err)
	}
	if n, m := count(t, db, "response_bodies"), count(t, db, "responses"); n != 2 || m != 2 {
		t.Errorf("%d bodies and %d answers are left, want bob's 2 and 2", n, m)
	}
}

// Old answers go, but for raw mails, and fetches that nobody understood; of these the newest
// 1,000 a source stay.
func TestPrune(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	now := modelstest.Noon
	m := modelstest.Member(t, db, "ann", map[string]string{"uva": "1", "spoj": "ann"}, now)
	of, err := members.AccountsOf(t.Context(), db, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	store := func(a members.Account, id string, at time.Time, answers ...responses.Answer) {
		t.Helper()
		if _, err := responses.Store(t.Context(), db, responses.Owner{Fetch: fetchOf(t, a, id, at)}, answers, at); err != nil {
			t.Fatal(err)
		}
	}
	read := func(body string) responses.Answer {
		return responses.Answer{Source: "uva", Address: "a", Status: 200, Body: []byte(body), Readable: true}
	}
	lasting, unreadable := read("mail"), read("puzzle")
	lasting.Lasting, unreadable.Readable = true, false
	store(of[0], "old", now.AddDate(0, 0, -40), read("one"), read("two"))
	store(of[0], "mail", now.AddDate(0, 0, -40), lasting)
	store(of[0], "unread", now.AddDate(0, 0, -40), read("token"), unreadable)
	store(of[0], "new", now.AddDate(0, 0, -20), read("one"), read("three"))
	var many []responses.Answer
	for i := range 1002 {
		many = append(many, responses.Answer{Source: "spoj", Address: fmt.Sprint(i), Status: 200, Body: []byte(strings.Repeat("x", i))})
	}
	store(of[1], "many", now, many...)
	if err := responses.Prune(t.Context(), db, now.AddDate(0, 0, -30)); err != nil {
		t.Fatal(err)
	}
	var left []string
	err = db.WithContext(t.Context()).Raw(`SELECT fetch_id || ' ' || count(*) FROM responses GROUP BY fetch_id ORDER BY fetch_id`).Scan(&left).Error
	if diff := cmp.Diff([]string{"mail 1", "many 1000", "new 2", "unread 2"}, left); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if n := count(t, db, "response_bodies"); n != 1+1000+2+2 {
		t.Errorf("%d bodies, want %d", n, 1+1000+2+2)
	}
	if n := count(t, db, "fetches"); n != 4 {
		t.Errorf("%d fetches, want 4", n)
	}
}

func count(t *testing.T, db *gorm.DB, table string) (n int64) {
	t.Helper()
	if err := db.WithContext(t.Context()).Table(table).Count(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}
