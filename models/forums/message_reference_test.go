package forums_test

import (
	"strings"
	"testing"

	"laurel/models/accounts"
	"laurel/models/forums"
	"laurel/models/modelstest"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	modelstest.Member(t, db, "Ada", map[string]string{"codeforces": "Countess"}, modelstest.Noon)
	modelstest.Member(t, db, "bob", nil, modelstest.Noon)
	if err := db.Exec(`INSERT INTO problems (site, key, name, url) VALUES ('uva', '36', '100 - The 3n + 1 problem', 'https://onlinejudge.org/36'), ('uva', '37', '1000 - X', '')`).Error; err != nil {
		t.Fatal(err)
	}
	w := modelstest.NewMailWorld(t, db, "news")
	refer := func(refs []forums.MessageRef, links ...string) {
		m := w.Letter("x <x>", links...)
		m.Refs = refs
		w.Comes("news", m)
	}
	refer(nil, modelstest.OwnURL+"/u/ada", modelstest.OwnURL+"/u/ADA/posts?x", modelstest.OwnURL+"/u/zoe", modelstest.OwnURL+"/u/", modelstest.OwnURL+"/u/..%2F", "https://evil.example/u/ada", "http://laurel.test.evil.example/u/ada", "https://laurel.test/u/bob.")
	w.About("member:Ada", "member:bob")
	refer(nil, modelstest.OwnURL+"/compare/bob/ADA", modelstest.OwnURL+"/compare/ada/ada", modelstest.OwnURL+"/compare/ada", modelstest.OwnURL+"/problems/uva/36", modelstest.OwnURL+"/problems/x", modelstest.OwnURL, modelstest.OwnURL+"/", "")
	w.About("comparison:ada/bob", "problem:uva/36")
	refer([]forums.MessageRef{{Kind: forums.RefProblem, Key: "codeforces/4A"}, {Kind: forums.RefNumber, Key: "uva/100"}, {Kind: forums.RefNumber, Key: "uva/9"}, {Kind: forums.RefAccount, Key: "codeforces/countess"}, {Kind: forums.RefAccount, Key: "codeforces/zoe77"},
		{Kind: forums.RefSubmission, Key: "codeforces/1"}, {Kind: forums.RefContest, Key: "codeforces/4"}, {Kind: forums.RefPost, Key: "x/20"}}, modelstest.OwnURL+"/u/ada")
	w.About("contest:codeforces/4", "member:Ada", "post:x/20", "problem:codeforces/4A", "problem:uva/36", "submission:codeforces/1")
	// Who comes later is found in what was written before.
	modelstest.Member(t, db, "zoe", map[string]string{"codeforces": "Zoe77"}, modelstest.Noon)
	for ref, want := range map[string]int{"member:Ada": 2, "member:zoe": 2, "comparison:bob/ada": 1, "comparison:ada/bob": 1, "problem:uva/36": 2, "account:codeforces/zoe77": 0} {
		kind, key, _ := strings.Cut(ref, ":")
		list, _, err := forums.Messages(t.Context(), db, forums.Filter{Since: -1, RefKind: kind, RefKey: key}, 10)
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
	mike, jill, zoe := modelstest.Member(t, db, "Mike", nil, modelstest.Noon), modelstest.Member(t, db, "jill", nil, modelstest.Noon), modelstest.Member(t, db, "zoe", nil, modelstest.Noon)
	w := modelstest.NewMailWorld(t, db, "news")
	const link = modelstest.OwnURL + "/compare/Mike/jill" // In the other order than by name: jill is a.
	if field := w.Says(mike.ID, "", "", "mike@example.org") + w.Says(zoe.ID, "", "", "zoe@example.org"); field != "" {
		t.Fatal(field)
	}
	w.Comes("news", w.Letter("Mike <mike at example.org>", link), w.Letter("Jill <jill at example.org>", link), w.Letter("Zoe <zoe at example.org>", link), w.Letter("Mike <mike at example.org>"),
		w.Letter("Mike <mike at example.org>", modelstest.OwnURL+"/compare/mike/nobody", modelstest.OwnURL+"/compare/zoe/mike", link))
	w.Wrote("Mike=b - zoe Mike Mike=a")
	said, err := forums.AssignAuthor(t.Context(), db, w.Author(jill.ID, "", "", "jill@example.org"), modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	w.Wrote("Mike=b jill=a zoe Mike Mike=a")
	if err := forums.DropAuthor(t.Context(), db, jill.ID, said.ID, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	w.Wrote("Mike=b - zoe Mike Mike=a")
	if err := accounts.Delete(t.Context(), db, mike.ID); err != nil {
		t.Fatal(err)
	}
	w.Wrote("- - zoe - -")
}
