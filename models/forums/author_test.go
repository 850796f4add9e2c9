package forums_test

import (
	"errors"
	"testing"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestPlainAddress(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	for shown, want := range map[string]string{
		"ada at example.org": "ada@example.org", "Ada (a) Example.ORG": "ada@example.org", " ada@example.org ": "ada@example.org", "ada [at] example dot org": "ada@example.org",
		"ada(at)example(dot)org": "ada@example.org", "ada&#64;example.org": "ada@example.org", "ada": "ada", "": "", "kate at example.org": "kate@example.org", "a  at\tb.c": "a@b.c",
		"a at b at c": "a@b at c", "a at x@y": "a at x@y",
	} {
		var got string
		if err := db.Raw(`SELECT plain_address(@s)`, map[string]any{"s": shown}).Scan(&got).Error; err != nil || got != want {
			t.Errorf("%q is %q, want %q, %v", shown, got, want, err)
		}
	}
}

func TestAuthors(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, db, "ada", nil, modelstest.Noon).ID, modelstest.Member(t, db, "bob", nil, modelstest.Noon).ID
	w := modelstest.NewMailWorld(t, db, "news", "talk")
	w.Comes("news", w.Letter("Ada <ada at example.org>"), w.Letter("Ada <other at example.org>"))
	w.Comes("talk", w.Letter("A. Byron <Ada (a) Example.org>"), w.Letter("Robert <bob77>"))
	w.Wrote("- - - -")
	for _, tt := range []struct{ forum, name, address, field string }{
		{"", "", " ", "address"}, {"", "Ada", "", "forum"}, {"", "", "bob77", "forum"},
	} {
		if got := w.Says(ada, tt.forum, tt.name, tt.address); got != tt.field {
			t.Errorf("%+v: the mistake is at %q", tt, got)
		}
	}
	if field := w.Says(ada, "", "", "ADA at example.org") + w.Says(bob, "talk", "", "bob77") + w.Says(bob, "talk", "", "bob77"); field != "" {
		t.Fatal(field)
	}
	w.Wrote("ada - ada bob")
	if got := w.Says(bob, "", "", "ada@example.org"); got != "address" {
		t.Error("an address is two members'")
	}
	// What says more holds, for new messages and for old ones.
	if field := w.Says(bob, "", "A. Byron", "ada@example.org") + w.Says(bob, "news", "ada", ""); field != "" {
		t.Fatal(field)
	}
	w.Comes("news", w.Letter("a. byron <ada at example.org>"), w.Letter("ada <third at example.org>"), w.Letter("Robert <bob77>"))
	w.Wrote("ada bob bob bob bob bob -")
	// What is nobody's is nobody's, unless more is said of it.
	if field := w.Says(0, "", "", "other@example.org"); field != "" {
		t.Fatal(field)
	}
	w.Wrote("ada - bob bob bob bob -")
}

func TestAuthorsAreTakenBack(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, db, "ada", nil, modelstest.Noon).ID, modelstest.Member(t, db, "bob", nil, modelstest.Noon).ID
	w := modelstest.NewMailWorld(t, db, "news")
	w.Comes("news", w.Letter("Ada <ada at example.org>"), w.Letter("Ada L <ada at example.org>"))
	wide, err := forums.AssignAuthor(t.Context(), db, w.Author(ada, "", "", "ada@example.org"), modelstest.Noon)
	if err != nil || wide.ID == 0 || wide.Member != "ada" || wide.State != forums.AuthorSaid {
		t.Fatal(wide, err)
	}
	narrow, err := forums.AssignAuthor(t.Context(), db, w.Author(bob, "", "Ada L", "ada@example.org"), modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	w.Wrote("ada bob")
	if err := forums.DropAuthor(t.Context(), db, ada, narrow.ID, modelstest.Noon); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	for _, id := range []struct {
		member, id int64
		want       string
	}{{bob, narrow.ID, "ada ada"}, {ada, wide.ID, "- -"}} {
		if err := forums.DropAuthor(t.Context(), db, id.member, id.id, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		w.Wrote(id.want)
	}
}

// What a member says of themselves waits, except for the address that they have
// shown to be theirs.
func TestAskAuthor(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, db, "ada", nil, modelstest.Noon).ID, modelstest.Member(t, db, "bob", nil, modelstest.Noon).ID
	w := modelstest.NewMailWorld(t, db, "news")
	w.Comes("news", w.Letter("Ada <ada at example.org>"), w.Letter("Bob <bob at example.org>"), w.Letter("Bob <list at example.org>"))
	confirmed(t, db, ada, "Ada@example.org")
	ask := func(member int64, name, address, state string) forums.MessageAuthor {
		t.Helper()
		a, err := forums.AskAuthor(t.Context(), db, w.Author(member, "", name, address), modelstest.Noon)
		if err != nil || a.State != state {
			t.Fatal(a, err)
		}
		return a
	}
	ask(ada, "", "ada@example.org", forums.AuthorSaid)
	bobs, lists := ask(bob, "", "bob at example.org", forums.AuthorAsked), ask(bob, "Bob", "list@example.org", forums.AuthorAsked)
	ask(ada, "", "bob@example.org", forums.AuthorAsked)
	w.Wrote("ada - -")
	open, err := forums.AuthorSuggestions(t.Context(), db, 10)
	if err != nil || len(open) != 3 || open[0].Member != "bob" || open[0].Reasons != forums.AuthorAsked || open[0].ReasonWords()[0] != "bob says so" {
		t.Fatalf("%+v, %v", open, err)
	}
	for id, accept := range map[string]bool{open[0].ID: true, open[1].ID: false} {
		if _, err := forums.DecideAuthor(t.Context(), db, id, accept, "root", modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
	w.Wrote("ada bob -")
	ask(bob, "Bob", "list@example.org", forums.AuthorDismissed) // No is no.
	ask(bob, "", "bob@example.org", forums.AuthorSaid)
	if _, err := forums.DecideAuthor(t.Context(), db, open[2].ID, true, "root", modelstest.Noon); modelstest.Field(t, err) != "address" {
		t.Error("what is bob's became ada's, too")
	}
	if _, err := forums.DecideAuthor(t.Context(), db, open[0].ID, true, "root", modelstest.Noon); !errors.Is(err, pg.ErrNotFound) {
		t.Error(err)
	}
	for _, a := range []forums.MessageAuthor{bobs, lists} {
		if err := forums.DropAuthor(t.Context(), db, bob, a.ID, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
	w.Wrote("ada - -")
	if all, err := forums.AuthorsOf(t.Context(), db, ada); err != nil || len(all) != 2 || all[0].State != forums.AuthorAsked {
		t.Errorf("%+v, %v", all, err)
	}
}

// Suggestions need an address that hints at somebody; nobody is suggested for a name.
func TestAuthorSuggestions(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, db, "ada", map[string]string{"codeforces": "countess"}, modelstest.Noon), modelstest.Member(t, db, "bob", nil, modelstest.Noon)
	if err := accounts.EditPerson(t.Context(), db, ada.ID, "Ada Byron", "UTC", modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	confirmed(t, db, bob.ID, "bob@example.org")
	w := modelstest.NewMailWorld(t, db, "news", "talk")
	w.Comes("news", w.Letter("Ada Byron <someone at example.org>"), w.Letter("Ada Byron <the.countess at example.net>"), w.Letter("Ada Byron <the.countess at example.net>"), w.Letter("R. <bob at example.org>"), w.Letter("ada byron <adab>"))
	if field := w.Says(ada.ID, "talk", "", "ab@example.com"); field != "" {
		t.Fatal(field)
	}
	w.Comes("news", w.Letter("A. <ab at example.com>"), w.Letter("Ada Byron <bar.ada at example.org>"))
	wants := func(want ...string) (ids []string) {
		t.Helper()
		all, err := forums.AuthorSuggestions(t.Context(), db, 10)
		if err != nil || len(all) != len(want) {
			t.Fatalf("%+v, %v, want %q", all, err, want)
		}
		for i, s := range all {
			if got := s.Member + " " + s.Name + " <" + s.Address + "> in " + s.Forum + ": " + s.Reasons; got != want[i] {
				t.Errorf("%q, want %q", got, want[i])
			}
			ids = append(ids, s.ID)
		}
		return ids
	}
	if field := w.Says(0, "", "", "bar.ada@example.org"); field != "" {
		t.Fatal(field)
	}
	ids := wants("ada Ada Byron <the.countess@example.net> in : name", "ada A. <ab@example.com> in : address", "ada ada byron <adab> in news: name", "bob R. <bob@example.org> in : mail")
	w.Wrote("- - - - - - -")
	for i, id := range ids {
		if _, err := forums.DecideAuthor(t.Context(), db, id, i != 2, "root", modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
	wants()
	w.Wrote("- ada ada bob - ada -")
	for _, id := range []string{"", "x", "99", "W10"} {
		if _, err := forums.DecideAuthor(t.Context(), db, id, true, "root", modelstest.Noon); !errors.Is(err, pg.ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A message counts once for whom it is, and no longer for whom it is not.
func TestMessagesAreEvents(t *testing.T) {
	t.Parallel()
	a := modelstest.NewAwardWorld(t, "ada", "bob")
	a.Runs(counting("writer", `{"name":"SourceFilter","config":{"sources":["messages"]}}`, `{"name":"CountRule"}`))
	ada, err := members.ByName(t.Context(), a.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	bob, err := members.ByName(t.Context(), a.DB, "bob")
	if err != nil {
		t.Fatal(err)
	}
	w := modelstest.NewMailWorld(t, a.DB, "news")
	wants := func(ada, bob string) {
		t.Helper()
		a.Works()
		for name, want := range map[string]string{"ada": ada, "bob": bob} {
			if got := a.Has(name, "writer"); got != want {
				t.Errorf("%s has %q, want %q", name, got, want)
			}
		}
	}
	a.Now = modelstest.Noon.Add(48 * 60 * 60 * 1e9)
	w.Comes("news", w.Letter("Ada <ada at example.org>"), w.Letter("Ada <ada at example.org>"), w.Letter("B <ada at example.org>"))
	say := func(m members.Member, name string) int64 {
		t.Helper()
		said, err := forums.AssignAuthor(t.Context(), a.DB, w.Author(m.ID, "", name, "ada@example.org"), a.Now)
		if err != nil {
			t.Fatal(err)
		}
		return said.ID
	}
	drop := func(m members.Member, id int64) {
		t.Helper()
		if err := forums.DropAuthor(t.Context(), a.DB, m.ID, id, a.Now); err != nil {
			t.Fatal(err)
		}
	}
	wide := say(ada, "")
	wants("3 of 100", "")
	narrow := say(bob, "B")
	wants("2 of 100", "1 of 100")
	drop(ada, wide)
	wants("0 of 100", "1 of 100")
	wide = say(ada, "")
	wants("2 of 100", "1 of 100")
	w.Comes("news", w.Letter("Ada <ada at example.org>"))
	wants("3 of 100", "1 of 100")
	drop(bob, narrow)
	wants("4 of 100", "0 of 100")
	drop(ada, wide)
	wants("0 of 100", "0 of 100")
}
