package models_test

import (
	"strings"
	"testing"

	"laurel/models"
	"laurel/models/modelstest"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	modelstest.Member(t, db, "Ada", map[string]string{"codeforces": "Countess"}, noon)
	modelstest.Member(t, db, "bob", nil, noon)
	if err := db.Exec(`INSERT INTO problems (site, key, name, url) VALUES ('uva', '36', '100 - The 3n + 1 problem', 'https://onlinejudge.org/36'), ('uva', '37', '1000 - X', '')`).Error; err != nil {
		t.Fatal(err)
	}
	w := newMailWorld(t, db, "news")
	refer := func(refs []models.MessageRef, links ...string) {
		m := w.letter("x <x>", links...)
		m.Refs = refs
		w.comes("news", m)
	}
	refer(nil, ownURL+"/u/ada", ownURL+"/u/ADA/posts?x", ownURL+"/u/zoe", ownURL+"/u/", ownURL+"/u/..%2F", "https://evil.example/u/ada", "http://laurel.test.evil.example/u/ada", "https://laurel.test/u/bob.")
	w.about("member:Ada", "member:bob")
	refer(nil, ownURL+"/compare/bob/ADA", ownURL+"/compare/ada/ada", ownURL+"/compare/ada", ownURL+"/problems/uva/36", ownURL+"/problems/x", ownURL, ownURL+"/", "")
	w.about("comparison:ada/bob", "problem:uva/36")
	refer([]models.MessageRef{{Kind: models.RefProblem, Key: "codeforces/4A"}, {Kind: models.RefNumber, Key: "uva/100"}, {Kind: models.RefNumber, Key: "uva/9"}, {Kind: models.RefAccount, Key: "codeforces/countess"}, {Kind: models.RefAccount, Key: "codeforces/zoe77"},
		{Kind: models.RefSubmission, Key: "codeforces/1"}, {Kind: models.RefContest, Key: "codeforces/4"}, {Kind: models.RefPost, Key: "x/20"}}, ownURL+"/u/ada")
	w.about("contest:codeforces/4", "member:Ada", "post:x/20", "problem:codeforces/4A", "problem:uva/36", "submission:codeforces/1")
	// Who comes later is found in what was written before.
	modelstest.Member(t, db, "zoe", map[string]string{"codeforces": "Zoe77"}, noon)
	for ref, want := range map[string]int{"member:Ada": 2, "member:zoe": 2, "comparison:bob/ada": 1, "comparison:ada/bob": 1, "problem:uva/36": 2, "account:codeforces/zoe77": 0} {
		kind, key, _ := strings.Cut(ref, ":")
		list, _, err := models.Messages(t.Context(), db, models.MessageFilter{Since: -1, RefKind: kind, RefKey: key}, 10)
		if err != nil || len(list) != want {
			t.Errorf("%d messages about %s, want %d, %v", len(list), ref, want, err)
		}
	}
}

// The seed's difference: two drafters, and what they and a third write with a link
// to it.
func TestSelectand(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	mike, jill, zoe := modelstest.Member(t, db, "Mike", nil, noon), modelstest.Member(t, db, "jill", nil, noon), modelstest.Member(t, db, "zoe", nil, noon)
	w := newMailWorld(t, db, "news")
	const link = ownURL + "/compare/Mike/jill" // In the other order than by name: jill is a.
	if field := w.says(mike.ID, "", "", "mike@example.org") + w.says(zoe.ID, "", "", "zoe@example.org"); field != "" {
		t.Fatal(field)
	}
	w.comes("news", w.letter("Mike <mike at example.org>", link), w.letter("Jill <jill at example.org>", link), w.letter("Zoe <zoe at example.org>", link), w.letter("Mike <mike at example.org>"),
		w.letter("Mike <mike at example.org>", ownURL+"/compare/mike/nobody", ownURL+"/compare/zoe/mike", link))
	w.wrote("Mike=b - zoe Mike Mike=a")
	said, err := models.SayAuthor(t.Context(), db, w.author(jill.ID, "", "", "jill@example.org"), noon)
	if err != nil {
		t.Fatal(err)
	}
	w.wrote("Mike=b jill=a zoe Mike Mike=a")
	if err := models.DropAuthor(t.Context(), db, jill.ID, said.ID, noon); err != nil {
		t.Fatal(err)
	}
	w.wrote("Mike=b - zoe Mike Mike=a")
	if err := models.DeleteMember(t.Context(), db, mike.ID); err != nil {
		t.Fatal(err)
	}
	w.wrote("- - zoe - -")
}
