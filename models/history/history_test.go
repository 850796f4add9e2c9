package history_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/accounts"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

var anyHandle = regexp.MustCompile(`^[a-z]+$`)

// historySites are what these tests call sites.
var historySites = []members.Site{{Name: "a", Title: "A", Handle: anyHandle}, {Name: "b", Title: "B", Handle: anyHandle}}

func historyAt(t *testing.T, db *gorm.DB, at, now time.Time) history.History {
	t.Helper()
	h, err := history.At(t.Context(), db, history.Query{Member: "ada", Sites: historySites, At: at, Now: now, Since: func(today time.Time) time.Time { return today.AddDate(-1, 0, 0) }, Recent: 5})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// classes are what is known of each shard: "member_totals known".
func classes(h history.History) (out []string) {
	for _, k := range h.Known {
		out = append(out, fmt.Sprintf("%s %s %s", k.Source, k.Shard.Name, history.CertaintyOf(k.Valid, k.Before, h.At)))
	}
	slices.Sort(out)
	return out
}

// archiveIsSound fails the test where the archive's check finds something.
func archiveIsSound(t *testing.T, db *gorm.DB) {
	t.Helper()
	findings, err := archive.Check(t.Context(), db)
	if err != nil || findings.Total > 0 {
		t.Errorf("the archive's check: %v %v", findings, err)
	}
}

// What fetches find out is known from then on, with the class that its instant has.
func TestHistoryOfFetches(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	modelstest.Member(t, tx, "ada", map[string]string{"a": "ada"}, modelstest.Noon)
	day := 24 * time.Hour
	now := modelstest.Noon.Add(90 * day)
	fetch(t, tx, "a", modelstest.Noon, found("1", modelstest.Noon.Add(-day), "AC"), found("2", modelstest.Noon.Add(-time.Hour), "PENDING"))
	dueNow(t, tx, "a")
	fetch(t, tx, "a", modelstest.Noon.Add(day), found("2", modelstest.Noon.Add(-time.Hour), "WA"))
	dueNow(t, tx, "a")
	fetch(t, tx, "a", modelstest.Noon.Add(2*day))
	dueNow(t, tx, "a")
	d := modelstest.Claim(t, tx, "a", modelstest.Noon.Add(3*day))
	modelstest.Finish(t, tx, d, retrieval.Result{Outcome: pg.OutcomeUnreachable, Message: "no\x00answer", Requests: 1, Address: "https://a.example/list"}, modelstest.Noon.Add(3*day))
	for _, tt := range []struct {
		at    time.Duration
		class string // Of the totals.
		state string // Of submission 2.
		ended int    // Solved.
	}{
		{-time.Hour, "laurel member_totals never_seen", "", 0},
		{0, "laurel member_totals known", "PENDING", 1},
		{time.Hour, "laurel member_totals confirmed", "PENDING", 1},
		{day, "laurel member_totals known", "WA", 1},
		{2*day + time.Hour, "laurel member_totals still_open", "WA", 1},
		{5 * day, "laurel member_totals still_open", "WA", 1},
	} {
		h := historyAt(t, tx, modelstest.Noon.Add(tt.at), now)
		if !slices.Contains(classes(h), tt.class) {
			t.Errorf("after %s: %v, want %s", tt.at, classes(h), tt.class)
		}
		state := ""
		if len(h.Recent) > 0 {
			state = h.Recent[0].Status
		}
		if h.Stats.Solved != tt.ended || state != tt.state {
			t.Errorf("after %s: %d solved and the newest is %q, want %d and %q", tt.at, h.Stats.Solved, state, tt.ended, tt.state)
		}
	}
	h := historyAt(t, tx, modelstest.Noon.Add(4*day), now)
	var list history.PageFetches
	for _, p := range h.Pages {
		if p.Source == "a" && p.Failed > 0 {
			list = p
		}
	}
	if !equal(list.FailingFrom, new(modelstest.Noon.Add(3*day))) || list.FailingUntil != nil || len(h.Failed["a"]) != 1 {
		t.Errorf("the failed fetch: %+v, %v", list, h.Failed)
	}
	if before, after := h.Changes(); !equal(before, new(modelstest.Noon.Add(day))) || after != nil {
		t.Errorf("changes at %v and %v, want the verdict's and none", before, after)
	}
	archiveIsSound(t, tx)
}

// Ratings and what else a site shows are known by page, and a contest that the
// site takes back is removed.
func TestHistoryOfSites(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	modelstest.Member(t, tx, "ada", map[string]string{"a": "ada"}, modelstest.Noon)
	contest := func(name string, rating int) submissions.RatingFound {
		return submissions.RatingFound{Contest: name, Name: "Contest " + name, Rank: 3, Rating: rating, At: modelstest.Noon.AddDate(0, 0, -9)}
	}
	step := func(i int, title any, ratings ...submissions.RatingFound) {
		dueNow(t, tx, "a")
		at := modelstest.Noon.AddDate(0, 0, i)
		d := modelstest.Claim(t, tx, "a", at)
		modelstest.Finish(t, tx, d, retrieval.Result{Requests: 3, Address: "https://a.example/list", RatingsRead: true, RatingsAddress: "https://a.example/rated", Ratings: ratings,
			ProfileRead: true, Pages: []archive.Response{{Address: "https://a.example/ada", Shards: map[string][]shards.Row{"account_title": {{"site": "a", "handle": "ada", "title": title}}}}}}, at)
	}
	step(0, "pupil", contest("1", 1200))
	step(1, "expert", contest("1", 1200), contest("2", 1600))
	step(2, nil, contest("1", 1200))
	now := modelstest.Noon.AddDate(0, 0, 9)
	for i, want := range []struct {
		contests, rating int
		title            any
	}{{1, 1200, "pupil"}, {2, 1600, "expert"}, {1, 1200, nil}} {
		h := historyAt(t, tx, modelstest.Noon.AddDate(0, 0, i).Add(time.Hour), now)
		if len(h.Accounts) != 1 || len(h.Accounts[0].Ratings) != want.contests {
			t.Fatalf("day %d: %+v, want %d contests", i, h.Accounts, want.contests)
		}
		for _, k := range h.Known {
			if k.Shard.Name == "account_rating" && k.Valid.Data["rating"] != int64(want.rating) || k.Shard.Name == "account_title" && k.Valid.Data["title"] != want.title {
				t.Errorf("day %d: %s is %v", i, k.Shard.Name, k.Valid.Data)
			}
		}
	}
	archiveIsSound(t, tx)
}

// An edit is a part of history, a removed handle ends, and a deleted member's
// figures go while the fetches of the sites stay.
func TestHistoryOfEdits(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "ada", "b": "bea"}, modelstest.Noon)
	fetch(t, tx, "a", modelstest.Noon, found("1", modelstest.Noon.Add(-time.Hour), "AC"))
	fetch(t, tx, "b", modelstest.Noon, found("1", modelstest.Noon.Add(-time.Hour), "AC"))
	later := modelstest.Noon.Add(time.Hour)
	if err := accounts.EditPerson(t.Context(), tx, m.ID, "Ada L.", "Asia/Tokyo", later); err != nil {
		t.Fatal(err)
	}
	if err := accounts.SetHandles(t.Context(), tx, historySites, m.ID, map[string]string{"a": ""}, later.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	now := modelstest.Noon.Add(9 * time.Hour)
	for at, want := range map[time.Duration]string{30 * time.Minute: "ada 2 2", time.Hour: "Ada L. 2 2", 3 * time.Hour: "Ada L. 1 1"} {
		h := historyAt(t, tx, modelstest.Noon.Add(at), now)
		if got := fmt.Sprint(h.DisplayName, " ", h.Stats.Submissions, " ", len(h.Accounts)); got != want {
			t.Errorf("after %s: %q, want %q", at, got, want)
		}
	}
	if got := classes(historyAt(t, tx, modelstest.Noon.Add(3*time.Hour), now)); !slices.Contains(got, "a account_totals removed") {
		t.Errorf("the removed handle: %v", got)
	}
	archiveIsSound(t, tx)
	if err := accounts.Delete(t.Context(), tx, m.ID); err != nil {
		t.Fatal(err)
	}
	var rows, fetches, named int
	err := tx.Raw(`
		SELECT (SELECT count(*) FROM shard_member_totals) + (SELECT count(*) FROM shard_account_totals)
			+ (SELECT count(*) FROM shard__past_member_totals) + (SELECT count(*) FROM shard__past_account_totals)`).Scan(&rows).Error
	if err == nil {
		err = tx.Raw(`SELECT count(*) FROM archive_retrievals`).Scan(&fetches).Error
	}
	if err == nil {
		err = tx.Raw(`SELECT count(*) FROM archive_pages WHERE viewer = 'ada' OR address LIKE '%ada%'`).Scan(&named).Error
	}
	if err != nil || rows != 0 || fetches == 0 || named != 0 {
		t.Errorf("after deleting: %d rows, %d fetches, %d pages that name the member; %v", rows, fetches, named, err)
	}
	archiveIsSound(t, tx)
}
