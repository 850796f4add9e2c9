package profiles

import (
	"testing"
	"time"

	"laurel/views/viewstest"
)

func TestAccountNote(t *testing.T) {
	at := func(day, hour, minute int) time.Time {
		return time.Date(2026, 11, day, hour, minute, 0, 0, viewstest.Riga)
	}
	jan := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		account       Account
		note, details string
	}{
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), Due: at(22, 13, 0)}, "",
			"up to date at 14:02; whole history not checked yet; next check tomorrow"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), Due: at(22, 13, 0), Delay: 6, Newest: at(14, 9, 0)}, "",
			"up to date at 14:02; whole history not checked yet; next check tomorrow (nothing new since 14 Nov)"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), CheckedThrough: at(3, 9, 0), Due: at(22, 13, 0)}, "",
			"up to date at 14:02; whole history checked as of 3 Nov; next check tomorrow"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), CheckedThrough: at(21, 14, 2), Due: at(22, 13, 0)}, "",
			"up to date at 14:02; whole history checked at 14:02; next check tomorrow"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(21, 14, 2), CheckedThrough: at(3, 9, 0), CheckedFrom: jan(2),
			Due: at(22, 13, 0)}, "",
			"up to date at 14:02; whole history checked as of 3 Nov, before 2 Jan 2026 by counts alone; next check tomorrow"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(20, 9, 0), Due: at(21, 14, 1), Delay: 1}, "",
			"up to date as of yesterday 09:00; whole history not checked yet; next check now (nothing new yet)"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(3, 9, 0), Due: at(27, 9, 0), Delay: 60,
			Newest: at(21, 0, 0).AddDate(-2, 0, 0)}, "", "up to date as of 3 Nov; whole history not checked yet; next check 27 Nov (nothing new since 21 Nov 2024)"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(20, 9, 0), Due: at(21, 14, 1), Delay: 9, Reason: "elsewhere"}, "",
			"up to date as of yesterday 09:00; whole history not checked yet; next check now (back on another site)"},
		{Account{State: "active", Outcome: "ok", CompleteUntil: at(20, 9, 0), Due: at(21, 14, 30), Delay: 9, Newest: at(3, 9, 0),
			Reason: "quiet"}, "",
			"up to date as of yesterday 09:00; whole history not checked yet; next check 14:30 (nothing new since 3 Nov)"},

		{Account{State: "new", Due: at(21, 14, 0)}, "first check starting now", "first check starting now"},
		{Account{State: "new", Due: at(21, 14, 30)}, "first check 14:30", "first check 14:30"},
		{Account{State: "new", Outcome: "ok", Due: at(21, 14, 30)}, "still loading", "not complete yet; next check 14:30"},

		{Account{State: "active", Outcome: "ok", Title: "LeetCode", Missing: 443, MissingUntil: jan(2), Due: at(21, 14, 30)},
			"443 submissions up to 2 Jan 2026 no longer listed by LeetCode", "not complete yet; next check 14:30"},
		{Account{State: "active", Outcome: "ok", Title: "LeetCode", Missing: 1, MissingFrom: jan(2), MissingUntil: jan(2), Due: at(21, 14, 30)},
			"1 submission of 2 Jan 2026 no longer listed by LeetCode", "not complete yet; next check 14:30"},
		{Account{Phase: "done", Outcome: "ok", Title: "LeetCode", Missing: 2, MissingFrom: jan(2), MissingUntil: jan(4), CompleteUntil: jan(2),
			New: 3, Due: at(21, 14, 30)}, "3 new; 2 submissions from 2 Jan 2026 to 4 Jan 2026 no longer listed by LeetCode",
			"up to date as of 2 Jan; whole history not checked yet; next check 14:30"},
		{Account{State: "active", Outcome: "ok", Title: "SPOJ", Unread: 2, CompleteUntil: jan(2), Due: at(21, 14, 30)},
			"2 submissions could not be read; the admin sees them", "up to date as of 2 Jan; whole history not checked yet; next check 14:30"},
		{Account{State: "active", Outcome: "ok", Title: "SPOJ", Unread: 1, Due: at(21, 14, 30)},
			"1 submission could not be read; the admin sees it", "not complete yet; next check 14:30"},
		{Account{State: "active", Outcome: "ok", Title: "LeetCode", Missing: 7, Due: at(21, 14, 30)},
			"7 submissions from earlier years no longer listed by LeetCode", "not complete yet; next check 14:30"},

		{Account{Phase: "waiting", Outcome: "ok", CompleteUntil: at(21, 13, 0)}, "waiting",
			"up to date at 13:00; whole history not checked yet; next check now"},
		{Account{Phase: "running", Title: "UVa"}, "connecting", "first check starting now"},
		{Account{Phase: "running", Page: 1}, "retrieving", "first check starting now"},
		{Account{Phase: "running", Page: 3, New: 1014}, "retrieving: 1,014 new so far", "first check starting now"},
		{Account{Phase: "done", Outcome: "ok", CompleteUntil: at(21, 14, 5)}, "nothing new",
			"up to date at 14:05; whole history not checked yet; next check now"},

		{Account{State: "active", Outcome: "unreachable", FailingSince: at(21, 9, 12), CompleteUntil: at(20, 8, 0), Due: at(21, 14, 20),
			Delay: 3}, "not answering since 09:12", "up to date as of yesterday 08:00; whole history not checked yet; next check 14:20"},
		{Account{State: "new", Outcome: "server_error", Message: "503", LastAttempt: at(21, 14, 4), Due: at(21, 14, 6)},
			"answered with an error at 14:04 (503)", "not complete yet; next check 14:06"},
		{Account{State: "active", Outcome: "blocked", FailingSince: at(19, 9, 12), CompleteUntil: at(19, 9, 0), Due: at(21, 18, 0)},
			"blocking us since 19 Nov", "up to date as of 19 Nov; whole history not checked yet; next check 18:00"},
		{Account{State: "active", Outcome: "rate_limited", LastAttempt: at(21, 14, 4), CompleteUntil: at(21, 9, 0), Due: at(21, 14, 9)},
			"asked us to slow down at 14:04", "up to date at 09:00; whole history not checked yet; next check 14:09"},
		{Account{State: "active", Outcome: "parse_error", FailingSince: at(21, 13, 4), CompleteUntil: at(21, 9, 0), Due: at(21, 14, 9)},
			"answers not understood since 13:04", "up to date at 09:00; whole history not checked yet; next check 14:09"},
		{Account{State: "active", Outcome: "ok", Suspended: "site not answering", CompleteUntil: at(21, 9, 0), Due: at(21, 14, 9)},
			"site not answering", "up to date at 09:00; whole history not checked yet; next check 14:09"},

		{Account{State: "new", Outcome: "not_found", Due: at(21, 14, 15)}, "handle not found; checking once more",
			"not complete yet; next check 14:15"},
		{Account{State: "invalid", Outcome: "not_found", Message: "the site has renamed it", Due: at(27, 9, 0)},
			"handle not found: the site has renamed it", "not complete yet; next check 27 Nov"},
		{Account{State: "invalid", Outcome: "not_found", Message: "no such handle", Due: at(27, 9, 0)}, "handle not found",
			"not complete yet; next check 27 Nov"},
		{Account{State: "paused", CompleteUntil: at(21, 9, 0)}, "paused", "up to date at 09:00; whole history not checked yet; paused"},
	} {
		if got := accountNote(t.Context(), tt.account, viewstest.Now); got != tt.note {
			t.Errorf("%+v:\n got %q\nwant %q", tt.account, got, tt.note)
		}
		if got := accountDetails(t.Context(), tt.account, viewstest.Now); got != tt.details {
			t.Errorf("%+v:\n got %q\nwant %q", tt.account, got, tt.details)
		}
	}
}

func TestFreshness(t *testing.T) {
	fresh := Account{Title: "AtCoder", State: "active", Outcome: "ok", CompleteUntil: viewstest.Now.Add(-3 * time.Minute)}
	old := Account{Title: "Codeforces", State: "active", Outcome: "ok", CompleteUntil: viewstest.Now.AddDate(0, 0, -1)}
	down := Account{Title: "UVa", State: "active", Outcome: "unreachable", CompleteUntil: viewstest.Now.AddDate(0, 0, -1)}
	empty := Account{Title: "SPOJ", State: "new"}
	held := Account{Title: "Timus", State: "active", Outcome: "ok", CompleteUntil: viewstest.Now.Add(-time.Hour), Suspended: "site paused"}
	wrong := Account{Title: "CodeChef", State: "invalid", Outcome: "not_found"}
	for _, tt := range []struct {
		accounts []Account
		want     string
	}{
		{[]Account{fresh}, "Up to date at 14:02"},
		{[]Account{fresh, wrong}, "Up to date at 14:02"},
		{[]Account{fresh, old}, "Up to date as of yesterday 14:05"},
		{[]Account{fresh, down}, "Up to date at 14:02, except UVa"},
		{[]Account{fresh, down, empty}, "Up to date at 14:02, except UVa and SPOJ"},
		{[]Account{fresh, down, empty, held}, "Up to date at 14:02, except 3 sites"},
		{[]Account{down, held}, "Last up to date yesterday 14:05"},
		{[]Account{empty, wrong}, "Not loaded yet"},
	} {
		if got := Freshness(t.Context(), AccountsCard{Now: viewstest.Now, Accounts: tt.accounts}); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.accounts, got, tt.want)
		}
	}
}

func TestMemberFreshness(t *testing.T) {
	for _, tt := range []struct {
		row  MemberRow
		want string
	}{
		{MemberRow{}, "no handles yet"},
		{MemberRow{Accounts: 2, CompleteUntil: viewstest.Now.Add(-5 * time.Minute)}, "5 minutes ago"},
		{MemberRow{Accounts: 2, Running: true}, "checking now"},
		{MemberRow{Accounts: 2, Invalid: 2}, "handle not found"},
		{MemberRow{Accounts: 2, Invalid: 1, CompleteUntil: viewstest.Now}, "just now; 1 handle not found"},
		{MemberRow{Accounts: 2, Failing: 2, CompleteUntil: viewstest.Now.AddDate(0, 0, -1)}, "yesterday 14:05; 2 sites not answering"},
		{MemberRow{Accounts: 2, Unread: 1}, "loading 1 site"},
		{MemberRow{Accounts: 2, Incomplete: 1, CompleteUntil: viewstest.Now}, "just now; 1 site incomplete"},
	} {
		if got := memberFreshness(t.Context(), tt.row, viewstest.Now); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.row, got, tt.want)
		}
	}
}
