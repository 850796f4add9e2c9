package profiles_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/community"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// newToday is a site at 20:00 in Riga, where ann solved something yesterday and bob today.
func newToday(t *testing.T) (s *handlerstest.Site, ann *handlerstest.Browser) {
	t.Helper()
	s = handlerstest.New(t, "http://laurel.test")
	s.Time = time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)
	for name, ago := range map[string]int{"ann": 1, "bob": 0} {
		m := s.Member(t, name, members.RoleMember)
		if err := s.DB.Exec(`UPDATE members SET time_zone = 'Europe/Riga', display_name = @name WHERE id = @id`,
			map[string]any{"name": strings.ToUpper(name[:1]) + name[1:] + " Sample", "id": m.ID}).Error; err != nil {
			t.Fatal(err)
		}
		m.TimeZone = "Europe/Riga"
		modelstest.Account(t, s.DB.DB, &members.Account{MemberID: m.ID, Site: "uva", Handle: name, CreatedAt: s.Time, Schedule: members.Schedule{DueAt: s.Time}})
		s.Submits(t, m, "uva", s.Time.AddDate(0, 0, -ago).Add(-2*time.Hour), "100 AC")
	}
	return s, s.SignedIn(t, "ann")
}

func TestToday(t *testing.T) {
	t.Parallel()
	s, ann := newToday(t)
	ann.Get("/").Is(t, http.StatusOK, "Welcome back, Ann", "Saturday 21 November, 20:00 in Europe/Riga", "<b>1 day</b>", "4 h left today",
		"Nothing submitted yet today", "<b>#1</b>", ", 1 this week", "Retrieve my submissions", `action="/u/ann/retrieve?on=today"`, "My accounts",
		"Bob Sample", "No award is in progress.", "No discussions yet.")
	if page := s.SignedIn(t, "bob").Get("/").Is(t, http.StatusOK, "streak, today counts"); strings.Contains(page.Text, "left today") {
		t.Error("a day that counts is still open")
	}
	fresh := s.Member(t, "cy", members.RoleMember)
	page := s.SignedIn(t, fresh.Name).Get("/").Is(t, http.StatusOK, "Add your handles")
	if strings.Contains(page.Text, "<b>0</b>") || strings.Contains(page.Text, "Retrieve my submissions") {
		t.Errorf("a newcomer sees what is empty:\n%s", page.Text)
	}
}

// The button answers where it was pressed, and cards go and come back.
func TestTodayButtonAndCards(t *testing.T) {
	t.Parallel()
	_, ann := newToday(t)
	ann.Post("/u/ann/retrieve?on=today").LeadsTo(t, "/")
	running := ann.Get("/").Is(t, http.StatusOK, `sse-connect="/u/ann/retrieval/events?on=today"`, `hx-get="/"`, "of 1 site checked")
	if strings.Contains(running.Text, "Verdicts by site") {
		t.Error("Today has the table of the profile")
	}
	ann.Get("/u/ann/retrieval?on=today").Is(t, http.StatusOK, "My accounts")
	ann.Get("/u/ann/retrieval").Is(t, http.StatusOK, "<h2>Accounts</h2>")

	ann.Post("/today/cards", "show", "week").LeadsTo(t, "/?done=saved")
	page := ann.Get("/").Is(t, http.StatusOK, "<h2>Leaderboard this week</h2>", "Choose cards")
	for _, gone := range []string{"<h2>Latest discussions</h2>", "<h2>Awards nearly there</h2>", "<h2>My accounts</h2>"} {
		if strings.Contains(page.Text, gone) {
			t.Errorf("%s is still there", gone)
		}
	}
	ann.Do(http.MethodPost, "/today/cards", strings.NewReader("show=week&show=threads&show=awards&show=accounts&show=nonsense"),
		"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin").LeadsTo(t, "/?done=saved")
	ann.Get("/").Is(t, http.StatusOK, "<h2>Latest discussions</h2>", "<h2>Awards nearly there</h2>", "<h2>My accounts</h2>")
}

// A visitor sees whose place this is, and only whom everybody may see.
func TestLanding(t *testing.T) {
	t.Parallel()
	s, ann := newToday(t)
	visitor := s.Browser(t)
	visitor.Get("/").Is(t, http.StatusOK, "Add your handles", "Codeforces, UVa", "Leaderboard this week", "Ann Sample", "Bob Sample", "Open the set-up link")
	ann.Post("/settings/visibility", "seen_by", "members")
	page := visitor.Get("/").Is(t, http.StatusOK, "Bob Sample")
	if strings.Contains(page.Text, "Ann") {
		t.Errorf("a visitor reads who is seen by members:\n%s", page.Text)
	}
	s.Member(t, "boss", members.RoleAdmin)
	boss := s.SignedIn(t, "boss")
	boss.Post("/admin/community", "name", "Sample College", "welcome", "We train on Tuesdays.", "about", "", "privacy", "").Is(t, http.StatusSeeOther)
	visitor.Get("/").Is(t, http.StatusOK, "<h1>Sample College</h1>", "We train on Tuesdays.", `href="/sign-in"`)
	if err := members.SetMembersOnly(t.Context(), s.DB.DB, true); err != nil {
		t.Fatal(err)
	}
	if door := visitor.Get("/"); door.StatusCode != http.StatusSeeOther || strings.Contains(door.Text, "Bob") {
		t.Errorf("members only: %d\n%s", door.StatusCode, door.Text)
	}
}

// A visitor reads the community in numbers, as they were counted last, and who earned an award, of whom they may see.
func TestLandingNumbersAndAwards(t *testing.T) {
	t.Parallel()
	s, ann := newToday(t)
	visitor := s.Browser(t)
	if page := visitor.Get("/").Is(t, http.StatusOK, "Leaderboard this week"); strings.Contains(page.Text, "Updated") || strings.Contains(page.Text, "Recent awards") {
		t.Errorf("before the first count and the first award:\n%s", page.Text)
	}
	s.EarnAward(t, "ann")
	if err := community.CountTotals(t.Context(), s.DB.DB, s.Time); err != nil {
		t.Fatal(err)
	}
	page := visitor.Get("/").Is(t, http.StatusOK, "<b>2</b>", "members here", "solved this week", "submissions", "award earned", "Updated 18:03", "Recent awards",
		`href="/awards/first"`, "First &lt;photo", " · today")
	if strings.Contains(page.Text, "discussions</span>") {
		t.Error("a number of nothing is shown")
	}
	ann.Post("/settings/visibility", "seen_by", "members")
	if page := visitor.Get("/").Is(t, http.StatusOK, "<b>2</b>"); strings.Contains(page.Text, "/awards/first") || strings.Contains(page.Text, "Ann") {
		t.Errorf("a visitor reads the award of who is seen by members:\n%s", page.Text)
	}
}

// A visitor reads what was solved this week beside the week before, in words.
func TestLandingWeek(t *testing.T) {
	t.Parallel()
	s, _ := newToday(t)
	visitor := s.Browser(t)
	if err := community.CountTotals(t.Context(), s.DB.DB, s.Time); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		week, before int
		want         string
	}{
		{1204, 1115, "<b>1,204</b><span class=\"soft\">solved this week, up 8 %</span>"},
		{97, 100, "solved this week, down 3 %</span>"},
		{100, 100, "solved this week, as in the week before</span>"},
		{1001, 1000, "solved this week, as in the week before</span>"},
		{3, 0, "solved this week</span>"},
		{1, 1000, "solved this week, down 99 %</span>"},
		{0, 5, "problems solved</span>"},
	} {
		if err := s.DB.Exec(`UPDATE community_totals SET solved_week = ?, solved_before = ?`, tt.week, tt.before).Error; err != nil {
			t.Fatal(err)
		}
		page := strings.Join(strings.Fields(visitor.Get("/").Is(t, http.StatusOK, "members here").Text), " ")
		page = strings.NewReplacer(" </span>", "</span>", `"soft"> `, `"soft">`, "</b> <", "</b><").Replace(page)
		if strings.Contains(page, "solved this week") != (tt.week > 0) || !strings.Contains(page, tt.want) {
			t.Errorf("%d after %d: want %q in\n%s", tt.week, tt.before, tt.want, page)
		}
	}
}

// The card of whom the member follows says what to do, and then what those did.
func TestTodayOfFollowed(t *testing.T) {
	t.Parallel()
	_, ann := newToday(t)
	ann.Get("/").Is(t, http.StatusOK, "What people I follow did", "Follow people to see here what they solve and earn.")
	ann.Post("/u/bob/follow").LeadsTo(t, "/u/bob?done=following")
	ann.Get("/").Is(t, http.StatusOK, `href="/feed"`, " solved 1 problem", `href="/problems/uva/100"`, ">18:00<")
	ann.Post("/today/cards", "show", "week").LeadsTo(t, "/?done=saved")
	if text := ann.Get("/").Is(t, http.StatusOK).Text; strings.Contains(text, " solved 1 problem") {
		t.Error("a card that was taken off is shown")
	}
}
