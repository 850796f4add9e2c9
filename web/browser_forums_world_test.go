package main

import (
	"testing"
	"time"

	"laurel/models/forums"
	"laurel/models/members"
)

// followForums makes a forum that is read, one that is being read, one that failed,
// and addresses that admins pasted.
func (l *laurel) followForums(t *testing.T) []state {
	t.Helper()
	ctx, db, now := t.Context(), l.db.DB, l.clock.now()
	ada, err := members.ByName(ctx, db, "ada")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := forums.AssignAuthor(ctx, db, forums.MessageAuthor{MemberID: ada.ID, Address: l.out.People()[0].Name + "@sample.invalid", AddedBy: "ada"}, now); err != nil {
		t.Fatal(err)
	}
	address := l.listOn(t)
	for _, slug := range []string{"club", "running", "failing"} {
		n := forums.New{Slug: slug, Name: slug, Kind: "pipermail", URL: address, AddedBy: "ada"}
		if slug != "club" {
			n.URL = sampleHost + "/pipermail/" + slug + "/"
		}
		if _, _, err := forums.Add(ctx, db, n, forumKinds(), now); err != nil {
			t.Fatal(err)
		}
	}
	if run, ok, err := l.runner().Harvest.HarvestOne(ctx, "club"); err != nil || !ok || run.New == 0 {
		t.Fatalf("%+v, %v, %v", run, ok, err)
	}
	l.exec(t, `UPDATE forum_periods SET listed = listed + 2, checked_at = @now WHERE position = 3`)
	l.exec(t, `INSERT INTO message_duplicates (forum_id, url, serial, seen_at) SELECT forum_id, url || '.again', serial, @now FROM messages LIMIT 3`)
	l.exec(t, `UPDATE forums SET duplicates = 3, burst_at = CAST(@now AS timestamptz) + interval '1 hour' WHERE slug = 'club'`)
	l.exec(t, `UPDATE forums SET outcome = 'unreachable', message = 'lists.sample.invalid does not exist', state = 'paused', next_run_at = NULL, covered_at = @now WHERE slug = 'failing'`)
	if _, ok, err := forums.Claim(ctx, db, "running", forums.Lease{ID: 1, Until: now.Add(time.Hour)}, now); err != nil || !ok {
		t.Fatal(ok, err)
	}
	waiting, err := forums.RequestInspection(ctx, db, address, "ada", now)
	if err != nil {
		t.Fatal(err)
	}
	found := waiting
	found.Kind, found.Base, found.Name, found.Robots, found.Periods = "pipermail", "https://lists.example.org/pipermail/news/", "news", "robots.txt allows it", 131
	if err := forums.AnswerInspection(ctx, db, &found, now); err != nil {
		t.Fatal(err)
	}
	if waiting, err = forums.RequestInspection(ctx, db, address, "ada", now); err != nil {
		t.Fatal(err)
	}
	l.exec(t, `UPDATE forum_inspections SET leased_until = CAST(@now AS timestamptz) + interval '1 hour' WHERE id = @id`, "id", waiting.ID)
	var serial, awkward int64
	if err := db.Raw(`SELECT head FROM forum_threads ORDER BY messages DESC LIMIT 1`).Scan(&serial).Error; err != nil {
		t.Fatal(err)
	}
	if err := db.Raw(`SELECT serial FROM messages WHERE subject LIKE 'A_subject_without%'`).Scan(&awkward).Error; err != nil {
		t.Fatal(err)
	}
	return []state{
		{name: "forums-found", path: "/forums?q=fenwick", status: 200},
		{name: "forums-about", path: "/forums?about=problem:codeforces/4A", status: 200},
		{name: "forum", path: "/forums/club", viewer: "ada", status: 200},
		{name: "forum-found", path: "/forums/club?q=merge+sort", status: 200},
		{name: "forum-not-found", path: "/forums/club?q=nothingofthekind", status: 200},
		{name: "forum-new", path: "/forums/running", status: 200},
		{name: "thread", path: "/forums/club/threads/" + number(serial), status: 200},
		{name: "message", path: "/messages/" + number(serial), status: 200},
		{name: "message-awkward", path: "/messages/" + number(awkward), status: 200},
		{name: "messages-of-nobody", path: "/u/grace/messages", viewer: "grace", status: 200},
		{name: "compare", path: "/compare?a=ada", viewer: "ada", status: 200},
		{name: "compare-wrong", path: "/compare?a=ada&b=nobody", status: 422},
		{name: "comparison", path: "/compare/ada/grace", viewer: "ada", status: 200},
		{name: "compared-problems", path: "/compare/ada/grace/problems?solved=first", status: 200},
		{name: "problem", path: "/problems/codeforces/4A", status: 200},
		{name: "names", path: "/settings/names", viewer: "grace", status: 200},
		{name: "authors", path: "/admin/authors", viewer: "ada", status: 200},
		{name: "forum-admin", path: "/admin/forums/club", viewer: "ada", status: 200},
		{name: "forum-admin-running", path: "/admin/forums/running", viewer: "ada", status: 200},
		{name: "forum-admin-failing", path: "/admin/forums/failing", viewer: "ada", status: 200},
		{name: "forum-look-waiting", path: "/admin/forums/looks/" + number(waiting.ID), viewer: "ada", status: 200},
		{name: "forum-look-found", path: "/admin/forums/looks/" + number(found.ID), viewer: "ada", status: 200},
	}
}
