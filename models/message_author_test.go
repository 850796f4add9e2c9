package models_test

import (
	"errors"
	"testing"

	"laurel/models"
	pg "laurel/models/db"
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
	ada, bob := modelstest.Member(t, db, "ada", nil, noon).ID, modelstest.Member(t, db, "bob", nil, noon).ID
	w := newMailWorld(t, db, "news", "talk")
	w.comes("news", w.letter("Ada <ada at example.org>"), w.letter("Ada <other at example.org>"))
	w.comes("talk", w.letter("A. Byron <Ada (a) Example.org>"), w.letter("Robert <bob77>"))
	w.wrote("- - - -")
	for _, tt := range []struct{ forum, name, address, field string }{
		{"", "", " ", "address"}, {"", "Ada", "", "forum"}, {"", "", "bob77", "forum"},
	} {
		if got := w.says(ada, tt.forum, tt.name, tt.address); got != tt.field {
			t.Errorf("%+v: the mistake is at %q", tt, got)
		}
	}
	if field := w.says(ada, "", "", "ADA at example.org") + w.says(bob, "talk", "", "bob77") + w.says(bob, "talk", "", "bob77"); field != "" {
		t.Fatal(field)
	}
	w.wrote("ada - ada bob")
	if got := w.says(bob, "", "", "ada@example.org"); got != "address" {
		t.Error("an address is two members'")
	}
	// What says more holds, for new messages and for old ones.
	if field := w.says(bob, "", "A. Byron", "ada@example.org") + w.says(bob, "news", "ada", ""); field != "" {
		t.Fatal(field)
	}
	w.comes("news", w.letter("a. byron <ada at example.org>"), w.letter("ada <third at example.org>"), w.letter("Robert <bob77>"))
	w.wrote("ada bob bob bob bob bob -")
	// What is nobody's is nobody's, unless more is said of it.
	if field := w.says(0, "", "", "other@example.org"); field != "" {
		t.Fatal(field)
	}
	w.wrote("ada - bob bob bob bob -")
}

func TestAuthorsAreTakenBack(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, db, "ada", nil, noon).ID, modelstest.Member(t, db, "bob", nil, noon).ID
	w := newMailWorld(t, db, "news")
	w.comes("news", w.letter("Ada <ada at example.org>"), w.letter("Ada L <ada at example.org>"))
	wide, err := models.SayAuthor(t.Context(), db, w.author(ada, "", "", "ada@example.org"), noon)
	if err != nil || wide.ID == 0 || wide.Member != "ada" || wide.State != models.AuthorSaid {
		t.Fatal(wide, err)
	}
	narrow, err := models.SayAuthor(t.Context(), db, w.author(bob, "", "Ada L", "ada@example.org"), noon)
	if err != nil {
		t.Fatal(err)
	}
	w.wrote("ada bob")
	if err := models.DropAuthor(t.Context(), db, ada, narrow.ID, noon); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	for _, id := range []struct {
		member, id int64
		want       string
	}{{bob, narrow.ID, "ada ada"}, {ada, wide.ID, "- -"}} {
		if err := models.DropAuthor(t.Context(), db, id.member, id.id, noon); err != nil {
			t.Fatal(err)
		}
		w.wrote(id.want)
	}
}

// What a member says of themselves waits, except for the address that they have
// shown to be theirs.
func TestAskAuthor(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, db, "ada", nil, noon).ID, modelstest.Member(t, db, "bob", nil, noon).ID
	w := newMailWorld(t, db, "news")
	w.comes("news", w.letter("Ada <ada at example.org>"), w.letter("Bob <bob at example.org>"), w.letter("Bob <list at example.org>"))
	confirmed(t, db, ada, "Ada@example.org")
	ask := func(member int64, name, address, state string) models.MessageAuthor {
		t.Helper()
		a, err := models.AskAuthor(t.Context(), db, w.author(member, "", name, address), noon)
		if err != nil || a.State != state {
			t.Fatal(a, err)
		}
		return a
	}
	ask(ada, "", "ada@example.org", models.AuthorSaid)
	bobs, lists := ask(bob, "", "bob at example.org", models.AuthorAsked), ask(bob, "Bob", "list@example.org", models.AuthorAsked)
	ask(ada, "", "bob@example.org", models.AuthorAsked)
	w.wrote("ada - -")
	open, err := models.AuthorSuggestions(t.Context(), db, 10)
	if err != nil || len(open) != 3 || open[0].Member != "bob" || open[0].Reasons != models.AuthorAsked || open[0].ReasonWords()[0] != "bob says so" {
		t.Fatalf("%+v, %v", open, err)
	}
	for id, accept := range map[string]bool{open[0].ID: true, open[1].ID: false} {
		if _, err := models.DecideAuthor(t.Context(), db, id, accept, "root", noon); err != nil {
			t.Fatal(err)
		}
	}
	w.wrote("ada bob -")
	ask(bob, "Bob", "list@example.org", models.AuthorDismissed) // No is no.
	ask(bob, "", "bob@example.org", models.AuthorSaid)
	if _, err := models.DecideAuthor(t.Context(), db, open[2].ID, true, "root", noon); fieldOf(t, err) != "address" {
		t.Error("what is bob's became ada's, too")
	}
	if _, err := models.DecideAuthor(t.Context(), db, open[0].ID, true, "root", noon); !errors.Is(err, pg.ErrNotFound) {
		t.Error(err)
	}
	for _, a := range []models.MessageAuthor{bobs, lists} {
		if err := models.DropAuthor(t.Context(), db, bob, a.ID, noon); err != nil {
			t.Fatal(err)
		}
	}
	w.wrote("ada - -")
	if all, err := models.AuthorsOf(t.Context(), db, ada); err != nil || len(all) != 2 || all[0].State != models.AuthorAsked {
		t.Errorf("%+v, %v", all, err)
	}
}

// Suggestions need an address that hints at somebody; nobody is suggested for a name.
func TestAuthorSuggestions(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada, bob := modelstest.Member(t, db, "ada", map[string]string{"codeforces": "countess"}, noon), modelstest.Member(t, db, "bob", nil, noon)
	if err := models.EditPerson(t.Context(), db, ada.ID, "Ada Byron", "UTC", noon); err != nil {
		t.Fatal(err)
	}
	confirmed(t, db, bob.ID, "bob@example.org")
	w := newMailWorld(t, db, "news", "talk")
	w.comes("news", w.letter("Ada Byron <someone at example.org>"), w.letter("Ada Byron <the.countess at example.net>"), w.letter("Ada Byron <the.countess at example.net>"), w.letter("R. <bob at example.org>"), w.letter("ada byron <adab>"))
	if field := w.says(ada.ID, "talk", "", "ab@example.com"); field != "" {
		t.Fatal(field)
	}
	w.comes("news", w.letter("A. <ab at example.com>"), w.letter("Ada Byron <bar.ada at example.org>"))
	wants := func(want ...string) (ids []string) {
		t.Helper()
		all, err := models.AuthorSuggestions(t.Context(), db, 10)
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
	if field := w.says(0, "", "", "bar.ada@example.org"); field != "" {
		t.Fatal(field)
	}
	ids := wants("ada Ada Byron <the.countess@example.net> in : name", "ada A. <ab@example.com> in : address", "ada ada byron <adab> in news: name", "bob R. <bob@example.org> in : mail")
	w.wrote("- - - - - - -")
	for i, id := range ids {
		if _, err := models.DecideAuthor(t.Context(), db, id, i != 2, "root", noon); err != nil {
			t.Fatal(err)
		}
	}
	wants()
	w.wrote("- ada ada bob - ada -")
	for _, id := range []string{"", "x", "99", "W10"} {
		if _, err := models.DecideAuthor(t.Context(), db, id, true, "root", noon); !errors.Is(err, pg.ErrNotFound) {
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
	w := newMailWorld(t, a.DB, "news")
	wants := func(ada, bob string) {
		t.Helper()
		a.Works()
		for name, want := range map[string]string{"ada": ada, "bob": bob} {
			if got := a.Has(name, "writer"); got != want {
				t.Errorf("%s has %q, want %q", name, got, want)
			}
		}
	}
	a.Now = noon.Add(48 * 60 * 60 * 1e9)
	w.comes("news", w.letter("Ada <ada at example.org>"), w.letter("Ada <ada at example.org>"), w.letter("B <ada at example.org>"))
	say := func(m members.Member, name string) int64 {
		t.Helper()
		said, err := models.SayAuthor(t.Context(), a.DB, w.author(m.ID, "", name, "ada@example.org"), a.Now)
		if err != nil {
			t.Fatal(err)
		}
		return said.ID
	}
	drop := func(m members.Member, id int64) {
		t.Helper()
		if err := models.DropAuthor(t.Context(), a.DB, m.ID, id, a.Now); err != nil {
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
	w.comes("news", w.letter("Ada <ada at example.org>"))
	wants("3 of 100", "1 of 100")
	drop(bob, narrow)
	wants("4 of 100", "0 of 100")
	drop(ada, wide)
	wants("0 of 100", "0 of 100")
}
