package handlers_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/posts"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

const firstAward = `{"title": "First", "objectives": [{"id": "one", "filters": [{"name": "SourceFilter", "config": {"sources": ["game"]}}],
	"rule": {"name": "CountRule"}}], "strategy": {"objective_id": "one", "goal": 1}}`

// newMarkedWorld is a site where marked members have something of everything.
func newMarkedWorld(t *testing.T) *markedWorld {
	t.Helper()
	w := &markedWorld{AwardSite: handlerstest.NewAwardSite(t), readers: map[string]*reader{}}
	ctx, db := t.Context(), w.DB.DB
	owner := w.Member(t, "owner", members.RoleMember)
	w.Member(t, "ann", members.RoleMember)
	w.Member(t, "stranger", members.RoleMember)
	var people []members.Member
	custom := fmt.Sprint("custom = true, password_hash = '', owner_id = ", owner.ID)
	for _, kind := range []string{"open", "hidden", "signed", "boards", "custom", "proved"} {
		m := w.Member(t, markName(kind), members.RoleMember)
		set := map[string]string{"hidden": "seen_by = 'self'", "signed": "seen_by = 'members'", "boards": "off_boards = true",
			"custom": custom, "proved": custom, "open": "custom = false"}
		if err := db.Exec("UPDATE members SET display_name = @name, "+set[kind]+" WHERE id = @id",
			pg.Named("name", "Wq"+kind+" Person", "id", m.ID)).Error; err != nil {
			t.Fatal(err)
		}
		modelstest.Account(t, db, &members.Account{MemberID: m.ID, Site: "codeforces", Handle: mark(kind) + "_h", CreatedAt: w.Time,
			FormerHandle: mark(kind) + "_old", Schedule: members.Schedule{DueAt: w.Time}})
		if kind == "proved" { // As accounts.ShowToAll does.
			if err := db.Exec(`INSERT INTO shown_handles (site, handle, since) VALUES ('codeforces', @handle, @now)`,
				pg.Named("handle", mark(kind)+"_h", "now", w.Time)).Error; err != nil {
				t.Fatal(err)
			}
		}
		w.solves(t, m, kind)
		w.writesPost(t, m, kind)
		people = append(people, m)
	}
	w.harvests(t, people)
	w.wins(t, people)
	w.follow(t)
	if err := history.ArchiveLeaderboards(ctx, db, w.Time); err != nil {
		t.Fatal(err)
	}
	w.readers["visitor"] = &reader{browser: w.Browser(t)}
	for _, name := range []string{"boss", "stranger", "zqhidden", "zqsigned", "owner"} {
		w.reads(t, name)
	}
	return w
}

// solves retrieves marked submissions and ratings of a member, and what a profile shows.
func (w *markedWorld) solves(t *testing.T, m members.Member, kind string) {
	t.Helper()
	ctx, db := t.Context(), w.DB.DB
	due := modelstest.Take(t, db, m, "codeforces", w.Time)
	var rows []retrieval.Found
	for i, key := range []string{"1A", "1B", "1C"} {
		id := fmt.Sprint(mark(kind), "-", i)
		rows = append(rows, retrieval.Found{ID: id, At: w.Time.Add(time.Duration(-i-1) * time.Hour), ProblemKey: key, ProblemName: "Sample " + key,
			ProblemURL: "https://judge.example/p/" + key, Status: "AC", Verdict: "OK", Language: "Go", URL: "https://judge.example/s/" + id})
	}
	page := retrieval.Page{Rows: rows, Next: 1, Lease: time.Minute}
	if _, err := retrieval.StorePage(ctx, db, &due.Account, page, w.Time); err != nil {
		t.Fatal(err)
	}
	site, handle := "codeforces", mark(kind)+"_h"
	res := retrieval.Result{Outcome: pg.OutcomeOK, Requests: 2, Address: "https://judge.example/list/" + handle, RatingsRead: true,
		RatingsAddress: "https://judge.example/ratings/" + handle,
		Ratings: []submissions.RatingFound{{Contest: "r1", Name: "Round of " + mark(kind), URL: "https://judge.example/c/" + mark(kind), Rank: 1, Rating: 1500,
			At: w.Time.Add(-time.Hour)}},
		Pages: []archive.Response{{Address: "https://judge.example/profile/" + handle, Shards: map[string][]shards.Row{
			"account_counts": {{"site": site, "handle": handle, "solved": 3, "submitted": 4}},
			"account_name":   {{"site": site, "handle": handle, "name": mark(kind) + " Real"}},
			"account_place":  {{"site": site, "handle": mark(kind) + "_old", "country": "XX", "organisation": mark(kind) + " School"}},
			"account_rank":   {{"site": site, "handle": handle, "rank": 7}},
			"account_title":  {{"site": site, "handle": handle, "title": mark(kind) + " master"}}}}}}
	if err := retrieval.Finish(ctx, db, due, res, retrieval.Rule{Rate: 1, Overlap: time.Hour}, w.Time); err != nil {
		t.Fatal(err)
	}
}

// writesPost has a member's post followed, with numbers in the archive.
func (w *markedWorld) writesPost(t *testing.T, m members.Member, kind string) {
	t.Helper()
	ctx, db := t.Context(), w.DB.DB
	id := fmt.Sprint("1000", m.ID)
	key := posts.Key{Network: "mastodon", Host: "social.example", ExternalID: id}
	if _, err := posts.Add(ctx, db, []posts.New{{Key: key, MemberID: &m.ID, URL: "https://social.example/@" + mark(kind) + "/" + id, CreatedAt: &w.Time}}, w.Time); err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(`UPDATE posts SET author = @author, text = @text, likes = 5, views = 9, reposts = 1 WHERE external_id = @id`,
		pg.Named("author", mark(kind), "text", mark(kind)+" says", "id", id)).Error; err != nil {
		t.Fatal(err)
	}
	r := archive.Response{Source: "mastodon", Address: "https://social.example/api/" + id, At: w.Time, Shards: map[string][]shards.Row{
		"post_metrics": {{"network": "mastodon", "host": "social.example", "post": id, "likes": 5, "reposts": 1, "replies": nil, "quotes": nil,
			"bookmarks": nil, "views": 9}}}}
	if _, err := archive.Store(ctx, db, r, w.Time); err != nil {
		t.Fatal(err)
	}
}

// harvests has each member begin a thread, which somebody answers who links to the member.
func (w *markedWorld) harvests(t *testing.T, people []members.Member) {
	t.Helper()
	var list []forums.NewMessage
	for i, m := range people {
		kind := m.Name[2:]
		first := w.Message(time.Duration(-60+3*i)*time.Minute, mark(kind), "", mark(kind)+" asks", mark(kind)+" writes about 1A")
		first.Author, first.Address = mark(kind)+" Author", mark(kind)+" at example.org"
		first.MessageID, first.URL = fmt.Sprint("m", i, "@example.org"), fmt.Sprint("https://lists.example.org/pipermail/news/", i, ".html")
		first.Refs = []forums.MessageRef{{Kind: forums.RefProblem, Key: "codeforces/1A", URL: "https://judge.example/p/1A"}}
		answer := w.Message(time.Duration(-59+3*i)*time.Minute, fmt.Sprint("answer", i), first.MessageID, "An answer", "I agree.")
		answer.Refs = []forums.MessageRef{{Kind: forums.RefAccount, Key: "codeforces/" + mark(kind) + "_h", URL: "https://judge.example/u/" + mark(kind) + "_h"}}
		list = append(list, first, answer)
	}
	w.StoreMessages(t, list...)
	if err := w.DB.Exec(`UPDATE forums SET name = 'Wqforum'`).Error; err != nil {
		t.Fatal(err)
	}
	for _, m := range people {
		a := forums.MessageAuthor{MemberID: m.ID, Address: mark(m.Name[2:]) + "@example.org", State: forums.AuthorSaid, AddedBy: "boss"}
		if _, err := forums.AssignAuthor(t.Context(), w.DB.DB, a, w.Time); err != nil {
			t.Fatal(err)
		}
	}
}

// wins has each member earn an award, which makes a badge.
func (w *markedWorld) wins(t *testing.T, people []members.Member) {
	t.Helper()
	w.Activate(t, "first", firstAward)
	var lines []string
	for _, m := range people {
		if m.Name != markName("custom") && m.Name != markName("proved") {
			lines = append(lines, fmt.Sprintf(`{"source":"game","id":"%s","item":"%s","seq":1,"member":"%s","type":"photo","status":"active","at":"%s"}`, m.Name, m.Name, m.Name,
				w.Time.Add(-time.Hour).Format(time.RFC3339)))
		}
	}
	w.Send(t, lines...)
	var n int
	if err := w.DB.Raw(`SELECT count(*) FROM badges`).Scan(&n).Error; err != nil || n != len(lines) {
		t.Fatalf("%d badges, %v", n, err)
	}
}

// follow has everybody follow everybody, ask them, and block somebody: as if they had before they hid.
func (w *markedWorld) follow(t *testing.T) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO follows (follower_id, followed_id, asked_at, since)
			SELECT a.id, b.id, @now, CASE WHEN (a.id + b.id) % 3 > 0 OR a.name = 'stranger' THEN CAST(@now AS timestamptz) END
			FROM members a, members b WHERE a.id <> b.id AND NOT a.custom AND NOT b.custom`,
		`INSERT INTO member_blocks (blocker_id, blocked_id, at)
			SELECT a.id, b.id, @now FROM members a, members b WHERE a.name IN ('owner', 'stranger') AND b.id <> a.id AND b.name LIKE 'zq%'`,
		`INSERT INTO notices (member_id, follower_id, period, level, kind, created_at, due_at, state, released_at, shown)
			SELECT a.id, b.id, '', 0, 'follow', @now, @now, 'released', @now, true FROM members a, members b
			WHERE a.id <> b.id AND NOT a.custom AND NOT b.custom AND a.name IN ('ann', 'zqhidden', 'zqsigned', 'boss')`,
	} {
		if err := w.DB.Exec(sql, pg.Named("now", w.Time)).Error; err != nil {
			t.Fatal(err)
		}
	}
}
