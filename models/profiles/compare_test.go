package profiles_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/profiles"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

func TestCompareMembers(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	since := pg.CivilDay(modelstest.Noon, modelstest.Noon.Location()).AddDate(0, 0, -30)
	zoe := modelstest.Member(t, db, "Zoe", map[string]string{"a": "zoe"}, modelstest.Noon)
	read := func(rows ...retrieval.Found) {
		t.Helper()
		dueNow(t, db, "a")
		for d := modelstest.Claim(t, db, "a", modelstest.Noon); d.ID != 0; d.ID = 0 {
			modelstest.StorePage(t, db, d, modelstest.Noon, rows...)
			modelstest.Finish(t, db, d, retrieval.Result{Outcome: pg.OutcomeOK, RatingsRead: true, Ratings: []submissions.RatingFound{{Contest: "c", Rating: 90, Rank: 3, At: modelstest.Noon}}}, modelstest.Noon)
		}
	}
	read(sub("1", "P", "AC", 0), sub("2", "Q", "AC", -30), sub("3", "R", "WA", -31))
	if err := db.Exec(`UPDATE account_schedule SET state = 'paused'`).Error; err != nil {
		t.Fatal(err)
	}
	ada := modelstest.Member(t, db, "ada", map[string]string{"a": "ada"}, modelstest.Noon)
	read(sub("4", "Q", "AC", 0), sub("5", "R", "AC", -1), sub("6", "S", "AC", -2), sub("7", "S", "AC", -1))
	c, err := profiles.Compare(t.Context(), db, "zoe", "ADA", since)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.Key, c.Flipped, c.Members[0].Name, c.Members[1].Name, c.Sites, c.Members[0].Active, c.Members[1].Active, c.BothActive, c.Members[0].Stats.Solved, c.Members[1].Stats.Solved, len(c.Members[0].Accounts[0].Ratings), len(c.Members[1].Accounts))
	if want := "ada/zoetrueZoeada[{a 1 2 1}] 2 1 1 2 3 1 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if c, err := profiles.Compare(t.Context(), db, "ada", "zoe", since); err != nil || c.Flipped || c.Members[0].ID != ada.ID {
		t.Error(c, err)
	}
	for _, names := range [][2]string{{"ada", "nobody"}, {"ada", ""}, {"x y", "x y"}} {
		if _, err := profiles.Compare(t.Context(), db, names[0], names[1], since); !errors.Is(err, pg.ErrNotFound) {
			t.Errorf("%q: %v", names, err)
		}
	}
	if _, err := profiles.Compare(t.Context(), db, "ada", "ADA", since); modelstest.Field(t, err) != "b" {
		t.Error("a member is compared with itself")
	}
	for which, want := range map[string]string{profiles.OnlyFirst: "P", profiles.OnlySecond: "R S", profiles.SolvedBoth: "Q"} {
		var keys []string
		var at pg.Cursor
		for {
			list, next, err := profiles.SolvedProblems(t.Context(), db, [2]members.Member{zoe, ada}, which, at, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				keys = append(keys, p.Key)
			}
			if at = next; next == (pg.Cursor{}) {
				break
			}
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s: %s, want %s", which, got, want)
		}
	}
	if _, _, err := profiles.SolvedProblems(t.Context(), db, [2]members.Member{zoe, ada}, "none", pg.Cursor{}, 1); modelstest.Field(t, err) != "solved" {
		t.Error(err)
	}

	p, err := submissions.ProblemOf(t.Context(), db, "a", "R")
	if err != nil || !p.Known || p.Attempts != 2 || p.Accepted != 1 || p.Tried != 1 || p.Solvers != 1 || p.Solved[0].Name != "ada" || p.Solved[0].Attempts != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = submissions.ProblemOf(t.Context(), db, "a", "S"); err != nil || p.Solvers != 1 || p.Solved[0].Attempts != 1 || p.Accepted != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = submissions.ProblemOf(t.Context(), db, "a", "X\x00"); err != nil || p.Known {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestTracks(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada := modelstest.Member(t, db, "Ada", nil, modelstest.Noon)
	w := modelstest.NewMailWorld(t, db, "news", "talk")
	if field := w.Says(ada.ID, "", "", "ada@example.org"); field != "" {
		t.Fatal(field)
	}
	letter := func(slug, author, subject string, refs ...forums.MessageRef) {
		m := w.Letter(author)
		m.Subject, m.Refs = subject, refs
		w.Comes(slug, m)
	}
	problem, member := forums.MessageRef{Kind: forums.RefProblem, Key: "codeforces/4A"}, forums.MessageRef{Kind: forums.RefMember, Key: "ada"}
	letter("news", "Ada <ada at example.org>", "A plan", problem)
	letter("news", "Bob <bob at example.org>", "Re: A plan")
	letter("news", "Ada <ada at example.org>", "Re: A plan", problem, member)
	letter("talk", "Bob <bob at example.org>", "What Ada did", member)
	track, err := forums.TrackAbout(t.Context(), db, forums.RefProblem, "codeforces/4A")
	if err != nil || track.Messages != 2 || len(track.Discussions) != 1 || track.Discussions[0].Messages != 2 || track.Discussions[0].Subject != "Re: A plan" || track.More != 0 {
		t.Errorf("%+v, %v", track, err)
	}
	if track, err = forums.TrackAbout(t.Context(), db, forums.RefProblem, "codeforces/4B"); err != nil || track.Messages != 0 || len(track.Discussions) != 0 {
		t.Errorf("%+v, %v", track, err)
	}
	p, err := profiles.Of(t.Context(), db, "ada", modelstest.Noon, 1)
	if track = p.Track; err != nil || track.Messages != 3 || track.Wrote != 2 || len(track.Discussions) != 2 || track.Discussions[0].Subject != "What Ada did" || track.Discussions[0].Forum != "talk" {
		t.Errorf("%+v, %v", track, err)
	}
	for i := range 20 {
		letter("news", "Ada <ada at example.org>", fmt.Sprint("About ", strings.Repeat("x", i)))
	}
	if p, err = profiles.Of(t.Context(), db, "ada", modelstest.Noon, 1); err != nil || len(p.Track.Discussions) != 5 || p.Track.More != 17 {
		t.Errorf("%+v, %v", p.Track, err)
	}
}
