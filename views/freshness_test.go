package views

import (
	"testing"
	"time"
)

func TestFreshness(t *testing.T) {
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, riga) }
	for _, tt := range []struct {
		account Account
		want    string
	}{
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), Due: at(22, 13, 0)}, "complete until 14:02, next look tomorrow"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), Due: at(22, 13, 0), Delay: 6, Newest: at(14, 9, 0)}, "complete until 14:02, next look tomorrow because nothing new since 14 Nov"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(20, 9, 0), Due: at(21, 14, 1), Delay: 1}, "complete until yesterday 09:00, next look now because nothing new yet"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(3, 9, 0), Due: at(27, 9, 0), Delay: 60, Newest: at(21, 0, 0).AddDate(-2, 0, 0)}, "complete until 3 Nov, next look 27 Nov because nothing new since 21 Nov 2024"},

		{Account{State: "new", Due: at(21, 14, 0)}, "first retrieval starts in a moment"},
		{Account{State: "new", Due: at(21, 14, 30)}, "first retrieval starts 14:30"},
		{Account{State: "new", Outcome: "ok", Due: at(21, 14, 30)}, "not read to the end yet; goes on 14:30"},

		{Account{State: "active", Outcome: "ok", Title: "LeetCode", Missing: 443, MissingUntil: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Due: at(21, 14, 30)},
			"443 submissions missing up to 2 Jan 2026: LeetCode counts but no longer lists them; next look 14:30"},
		{Account{State: "active", Outcome: "ok", Title: "LeetCode", Missing: 1, MissingFrom: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), MissingUntil: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Due: at(21, 14, 30)},
			"1 submission missing on 2 Jan 2026: LeetCode counts but no longer lists them; next look 14:30"},
		{Account{Phase: "done", Outcome: "ok", Title: "LeetCode", Missing: 2, MissingFrom: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), MissingUntil: time.Date(2026, 1, 4, 0, 0, 0, 0, time.UTC), CompleteUntil: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), New: 3},
			"done, 3 new; complete until 2 Jan; 2 submissions missing between 2 Jan 2026 and 4 Jan 2026: LeetCode counts but no longer lists them"},
		{Account{State: "active", Outcome: "ok", Title: "LeetCode", Missing: 7, Due: at(21, 14, 30)}, "7 submissions missing from earlier years: LeetCode counts but no longer lists them; next look 14:30"},

		{Account{State: "active", Outcome: "ok", CompleteUntil: at(14, 9, 0), FedUntil: at(21, 14, 2), Lacks: "gym and groups", Due: at(27, 9, 0)}, "complete until 14:02 (gym and groups until 14 Nov), next look 27 Nov"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), FedUntil: at(21, 13, 2), Lacks: "gym and groups", Due: at(22, 13, 0)}, "complete until 14:02, next look tomorrow"},
		{Account{Phase: "waiting", CompleteUntil: at(21, 13, 0)}, "waiting for its turn; complete until 13:00"},
		{Account{Phase: "waiting"}, "waiting for its turn"},
		{Account{Phase: "running", Title: "UVa"}, "asking UVa"},
		{Account{Phase: "running", Page: 1}, "reading page 1"},
		{Account{Phase: "running", Page: 3, New: 1014}, "reading page 3: 1,014 new so far"},
		{Account{Phase: "done", Outcome: "ok", CompleteUntil: at(21, 14, 5)}, "done, nothing new; complete until 14:05"},
		{Account{Phase: "done", Outcome: "ok", CompleteUntil: at(21, 14, 5), New: 3}, "done, 3 new; complete until 14:05"},

		{Account{State: "active", Outcome: "unreachable", FailingSince: at(21, 9, 12), CompleteUntil: at(20, 8, 0), Due: at(21, 14, 20)}, "site has not answered since 09:12; complete until yesterday 08:00; next try 14:20"},
		{Account{State: "new", Outcome: "server_error", Message: "503", LastAttempt: at(21, 14, 4), Due: at(21, 14, 6)}, "site answered with an error at 14:04 (503); nothing complete yet; next try 14:06"},
		{Account{State: "active", Outcome: "blocked", FailingSince: at(19, 9, 12), CompleteUntil: at(19, 9, 0), Due: at(21, 18, 0)}, "site has turned us away since 19 Nov; complete until 19 Nov; next try 18:00"},
		{Account{State: "active", Outcome: "rate_limited", LastAttempt: at(21, 14, 4), CompleteUntil: at(21, 9, 0), Due: at(21, 14, 9)}, "site asked us to slow down at 14:04; complete until 09:00; next try 14:09"},
		{Account{State: "active", Outcome: "parse_error", FailingSince: at(21, 13, 4), CompleteUntil: at(21, 9, 0), Due: at(21, 14, 9)}, "site's answers could not be read since 13:04; complete until 09:00; next try 14:09"},
		{Account{Phase: "done", State: "active", Outcome: "unreachable", LastAttempt: at(21, 14, 5), CompleteUntil: at(21, 9, 0), Due: at(21, 14, 9)}, "site did not answer at 14:05; complete until 09:00; next try 14:09"},

		{Account{State: "new", Outcome: "not_found", NotFound: 1, Due: at(21, 14, 15)}, "no such handle, seen once; one more look will tell; nothing complete yet; next try 14:15"},
		{Account{State: "invalid", Outcome: "not_found", NotFound: 2, Message: "the site has renamed it", Due: at(27, 9, 0)}, "no such handle, seen twice: the site has renamed it; next check 27 Nov."},
		{Account{State: "invalid", Outcome: "not_found", NotFound: 2, Message: "no such handle", Due: at(27, 9, 0)}, "no such handle, seen twice; next check 27 Nov."},
		{Account{State: "paused", CompleteUntil: at(21, 9, 0)}, "paused: nobody looks until it is resumed; complete until 09:00"},
	} {
		if got := Freshness(tt.account, now); got != tt.want {
			t.Errorf("%+v:\n got %q\nwant %q", tt.account, got, tt.want)
		}
	}
}

func TestMemberFreshness(t *testing.T) {
	for _, tt := range []struct {
		row  MemberRow
		want string
	}{
		{MemberRow{}, "no handles yet"},
		{MemberRow{Accounts: 2, CompleteUntil: now}, "complete until 14:05"},
		{MemberRow{Accounts: 2, Running: true}, "being read now"},
		{MemberRow{Accounts: 2, Invalid: 2}, "no such handle"},
		{MemberRow{Accounts: 2, Invalid: 1, CompleteUntil: now}, "complete until 14:05; 1 handle unknown to its site"},
		{MemberRow{Accounts: 2, Failing: 2, CompleteUntil: now.AddDate(0, 0, -1)}, "complete until yesterday 14:05; 2 sites in trouble"},
		{MemberRow{Accounts: 2, Unread: 1}, "first retrieval is due on 1 site"},
	} {
		if got := memberFreshness(tt.row, now); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.row, got, tt.want)
		}
	}
}

func TestHealthLine(t *testing.T) {
	never := SiteHealth{Title: "UVa", FailingSince: now.Add(-time.Hour)}
	down := never
	down.LastSuccess = now.Add(-2 * time.Hour)
	for _, tt := range []struct {
		sites []SiteHealth
		want  string
	}{
		{nil, ""},
		{[]SiteHealth{{Title: "AtCoder"}}, "all sites answer"},
		{[]SiteHealth{{Title: "AtCoder"}, down}, "UVa has not answered since 13:05; profiles are complete until then"},
		{[]SiteHealth{{Title: "AtCoder"}, never}, "UVa has not answered since 13:05; nothing of it is complete yet"},
		{[]SiteHealth{{Title: "AtCoder"}, down, down}, "not answering: UVa since 13:05, UVa since 13:05"},
		{[]SiteHealth{down}, "no site answers: UVa since 13:05"},
	} {
		if got := HealthLine(tt.sites, now); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.sites, got, tt.want)
		}
	}
}

func TestStripLine(t *testing.T) {
	broken := SiteHealth{Title: "CodeChef", Broken: true, AnsweredAt: time.Date(2026, 11, 21, 9, 12, 0, 0, riga), OpenedAt: now}
	never := SiteHealth{Title: "Timus", Broken: true, OpenedAt: now.Add(-26 * time.Hour)}
	paused := SiteHealth{Title: "SPOJ", PausedAt: now.AddDate(0, 0, -9), PausedReason: "at their wish"}
	for _, tt := range []struct {
		sites []SiteHealth
		now   time.Time
		want  string
	}{
		{nil, now, ""},
		{[]SiteHealth{broken}, now, "CodeChef has not answered since 09:12; profiles are complete until then."},
		{[]SiteHealth{broken}, now.UTC(), "CodeChef has not answered since 07:12 UTC; profiles are complete until then."},
		{[]SiteHealth{never}, now, "Timus has not answered since yesterday 12:05; nothing of it is complete yet."},
		{[]SiteHealth{paused}, now, "SPOJ has been paused since 12 Nov 14:05 (at their wish); profiles are complete until then."},
		{[]SiteHealth{broken, paused}, now, "2 sites do not answer at present: CodeChef, SPOJ. Profiles say until when they are complete."},
	} {
		if got := StripLine(tt.sites, tt.now); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		part, whole int
		want        string
	}{{0, 0, "-"}, {0, 5, "0 %"}, {5, 5, "100 %"}, {999, 1000, "99 %"}, {1, 1000, "1 %"}, {1, 2, "50 %"}, {2, 3, "67 %"}} {
		if got := percent(tt.part, tt.whole); got != tt.want {
			t.Errorf("percent(%d, %d) = %q, want %q", tt.part, tt.whole, got, tt.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -42: "-42", -123456: "-123,456"} {
		if got := number(n); got != want {
			t.Errorf("number(%d) = %q, want %q", n, got, want)
		}
	}
}
