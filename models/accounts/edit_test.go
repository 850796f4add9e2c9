package accounts_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/submissions"
)

func TestCheckTimeZone(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	for zone, ok := range map[string]bool{
		"UTC": true, "Europe/Riga": true, "Asia/Kolkata": true, "America/Argentina/Buenos_Aires": true,
		"": false, "Local": false, "Mars/Base": false, "UTC+3": false, "../../UTC": false, "UTC\x00": false, "\xff": false,
	} {
		if err := members.CheckTimeZone(ctx, tx, zone); ok != (modelstest.Field(t, err) == "") {
			t.Errorf("zone %q: %v, want ok = %t", zone, err, ok)
		}
	}
}

func TestEditPersonCountsDaysAgain(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	ann := modelstest.Member(t, tx, "ann", map[string]string{"uva": "ann"}, modelstest.Noon)
	submit(t, tx, ann.ID, time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC))
	if err := submissions.RefreshMember(ctx, tx, ann.ID, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ zone, day string }{{"UTC", "2026-11-20"}, {"Europe/Riga", "2026-11-21"}} {
		if err := accounts.EditPerson(ctx, tx, ann.ID, " Ann\x00 ", tt.zone, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		var day time.Time
		if err := tx.Raw("SELECT day FROM days WHERE member_id = ?", ann.ID).Scan(&day).Error; err != nil || day.Format(time.DateOnly) != tt.day {
			t.Errorf("in %s the submission is of %s, error %v; want %s", tt.zone, day, err, tt.day)
		}
	}
	if m, err := members.ByID(ctx, tx, ann.ID); err != nil || m.DisplayName != "Ann" || m.TimeZone != "Europe/Riga" {
		t.Errorf("stored %+v, error %v", m, err)
	}
	if got := modelstest.Field(t, accounts.EditPerson(ctx, tx, ann.ID, "Ann", "Mars/Base", modelstest.Noon)); got != "time_zone" {
		t.Errorf("an unknown zone is a mistake in %q", got)
	}
}

// submit stores one accepted submission of a member on UVa.
func submit(t *testing.T, tx *gorm.DB, memberID int64, at time.Time) {
	t.Helper()
	err := tx.Exec(`
		WITH p AS (INSERT INTO problems (site, key, url) VALUES ('uva', '100', '') ON CONFLICT (site, key) DO UPDATE SET url = '' RETURNING id)
		INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
		SELECT a.id, a.member_id, 'uva', CAST(@at AS text), p.id, 'AC', '90', 'C', CAST(@at AS timestamptz), '', CAST(@at AS timestamptz)
		FROM account_details a, p WHERE a.member_id = @member AND a.site = 'uva'`, map[string]any{"at": at.Format(time.RFC3339), "member": memberID}).Error
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	root := modelstest.Admin(t, tx)
	ann := modelstest.Member(t, tx, "ann", nil, modelstest.Noon)
	for range 2 { // Again after the other one has come and gone.
		if got := modelstest.Field(t, accounts.SetRole(ctx, tx, root.ID, members.RoleMember)); got != "role" {
			t.Errorf("the last admin becomes a member: a mistake in %q", got)
		}
		if got := modelstest.Field(t, accounts.Delete(ctx, tx, root.ID)); got != "role" {
			t.Errorf("the last admin is deleted: a mistake in %q", got)
		}
		for _, role := range []string{members.RoleAdmin, members.RoleMember} {
			if err := accounts.SetRole(ctx, tx, ann.ID, role); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := modelstest.Field(t, accounts.SetRole(ctx, tx, ann.ID, "king")); got != "role" {
		t.Errorf("an unknown role is a mistake in %q", got)
	}
	if err := accounts.Delete(ctx, tx, ann.ID); err != nil {
		t.Fatal(err)
	}
	if err := accounts.Delete(ctx, tx, ann.ID); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("deleted twice: %v, want ErrNotFound", err)
	}
}

func TestTwoAdminsCannotBothLeave(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), modelstest.DB(t)
	root := modelstest.Admin(t, db)
	ann := modelstest.Member(t, db, "ann", nil, modelstest.Noon)
	if err := accounts.SetRole(ctx, db, ann.ID, members.RoleAdmin); err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 2)
	var wg sync.WaitGroup
	wg.Go(func() { errs[0] = accounts.SetRole(ctx, db, root.ID, members.RoleMember) })
	wg.Go(func() { errs[1] = accounts.Delete(ctx, db, ann.ID) })
	wg.Wait()
	if (modelstest.Field(t, errs[0]) == "") == (modelstest.Field(t, errs[1]) == "") {
		t.Errorf("errors %v; want one of two to stay", errs)
	}
}

func TestFindMembers(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	for _, name := range []string{"cy", "Ann", "bob", "anna"} {
		modelstest.Member(t, tx, name, nil, modelstest.Noon)
	}
	if err := tx.Exec(`UPDATE members SET display_name = 'Ada_Lovelace' WHERE name = 'bob'`).Error; err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		search, after string
		want          []string
		next          string
	}{
		{"", "", []string{"Ann", "anna"}, "anna"},
		{"", "anna", []string{"bob", "cy"}, ""},
		{"AN", "", []string{"Ann", "anna"}, ""},
		{"love ada", "", []string{"bob"}, ""},
		{"ovelace", "", nil, ""},
		{"'; & ! : love", "", []string{"bob"}, ""},
		{"%\x00", "", []string{"Ann", "anna"}, "anna"},
	} {
		page, err := accounts.FindMembers(ctx, tx, accounts.Find{Search: tt.search, After: tt.after, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range page.Items {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, tt.want) || page.Next != tt.next {
			t.Errorf("%q after %q: %v then %q, want %v then %q", tt.search, tt.after, got, page.Next, tt.want, tt.next)
		}
	}
}

// sites are two sites for forms, with the patterns of the real ones.
var sites = []members.Site{
	{Name: "codeforces", Title: "Codeforces", Handle: regexp.MustCompile(`^[A-Za-z0-9._-]{3,24}$`), Hint: "3 to 24 letters, digits, . _ -"},
	{Name: "uva", Title: "UVa", Handle: regexp.MustCompile(`^[A-Za-z0-9._-]{1,40}$`), Hint: "1 to 40 letters and digits"},
}

func TestSetHandles(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	ann := modelstest.Member(t, tx, "ann", nil, modelstest.Noon)
	set := func(at time.Duration, handles map[string]string) string {
		t.Helper()
		return modelstest.Field(t, accounts.SetHandles(ctx, tx, sites, ann.ID, handles, modelstest.Noon.Add(at)))
	}
	list := func() string {
		t.Helper()
		as, err := members.AccountsOf(ctx, tx, ann.ID)
		if err != nil {
			t.Fatal(err)
		}
		s := ""
		for _, a := range as {
			s += fmt.Sprintf("%s %s %s %s; ", a.Site, a.Handle, a.State, a.DueAt.Sub(modelstest.Noon))
		}
		return s
	}
	for i, step := range []struct {
		handles     map[string]string
		wrong, want string
	}{
		{map[string]string{"codeforces": " ann_c ", "uva": ""}, "", "codeforces ann_c new 0s; "},
		{map[string]string{"uva": "ann"}, "", "codeforces ann_c new 0s; uva ann new 1h0m0s; "},
		{map[string]string{"codeforces": "ann_c", "uva": "ann"}, "", "codeforces ann_c new 0s; uva ann new 1h0m0s; "},
		{map[string]string{"codeforces": "a/../b", "uva": ""}, "accounts.codeforces", "codeforces ann_c new 0s; uva ann new 1h0m0s; "},
		{map[string]string{"topcoder": "ann"}, "accounts.topcoder", "codeforces ann_c new 0s; uva ann new 1h0m0s; "},
		{map[string]string{"codeforces": "Ann_C"}, "", "codeforces Ann_C new 4h59m59s; uva ann new 1h0m0s; "},
		{map[string]string{"codeforces": "\x00", "uva": " "}, "", ""},
	} {
		at := time.Duration(i) * time.Hour
		if i == 5 {
			at -= time.Second
		}
		if got := set(at, step.handles); got != step.wrong {
			t.Errorf("step %d: a mistake in %q, want %q", i, got, step.wrong)
		}
		if got := list(); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
	}
	err := accounts.SetHandles(ctx, tx, sites, ann.ID, map[string]string{"codeforces": "?", "uva": "?"}, modelstest.Noon)
	if joined, ok := err.(interface{ Unwrap() []error }); !ok || len(joined.Unwrap()) != 2 {
		t.Errorf("two mistakes give %v, want both", err)
	}
}

func TestAChangedHandleTakesItsRecordAway(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	ann := modelstest.Member(t, tx, "ann", map[string]string{"uva": "ann"}, modelstest.Noon)
	submit(t, tx, ann.ID, modelstest.Noon)
	if err := submissions.RefreshMember(ctx, tx, ann.ID, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := accounts.SetHandles(ctx, tx, sites, ann.ID, map[string]string{"uva": "other"}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	var left int
	err := tx.Raw("SELECT (SELECT count(*) FROM submissions) + (SELECT count(*) FROM days) + (SELECT coalesce(sum(submissions), 0) FROM member_stats)").Scan(&left).Error
	if err != nil || left != 0 {
		t.Errorf("%d rows and sums are left of the other handle, error %v; want none", left, err)
	}
}

func TestCustomMembers(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	ann := modelstest.Member(t, tx, "ann", nil, modelstest.Noon)
	follow := func(name, handle string) string {
		t.Helper()
		m := members.Member{Name: name, Custom: true, Role: members.RoleAdmin, PasswordHash: "x"}
		return modelstest.Field(t, accounts.Add(ctx, tx, sites, accounts.New{Member: &m, Handles: map[string]string{"uva": handle}, By: &ann}, modelstest.Noon))
	}
	if got := follow("star", "a b"); got != "accounts.uva" {
		t.Errorf("a bad handle is a mistake in %q", got)
	}
	if got := follow("star", "star"); got != "" { // The failure before stored nothing.
		t.Errorf("a mistake in %q", got)
	}
	followed, err := accounts.CustomOf(ctx, tx, ann.ID)
	if err != nil || len(followed) != 1 {
		t.Fatal(followed, err)
	}
	star := followed[0]
	if !star.Custom || star.Role != members.RoleMember || star.PasswordHash != "" || *star.OwnerID != ann.ID || star.Accounts["uva"] != "star" {
		t.Errorf("stored %+v", star)
	}
	if got := modelstest.Field(t, accounts.SetRole(ctx, tx, star.ID, members.RoleAdmin)); got != "role" {
		t.Errorf("a custom member becomes an admin: a mistake in %q", got)
	}
	if got := modelstest.Field(t, second(members.Invite(ctx, tx, ann.ID, &star.Member, modelstest.Noon))); got != "member" {
		t.Errorf("a custom member gets a password: a mistake in %q", got)
	}
	for i := range 49 {
		if got := follow(fmt.Sprint("star", i), "star"); got != "" {
			t.Fatalf("custom member %d: a mistake in %q", i+2, got)
		}
	}
	if got := follow("onemore", "star"); got != "name" {
		t.Errorf("the 51st: a mistake in %q, want a refusal", got)
	}
	ann.Role = members.RoleAdmin
	if got := follow("onemore", "star"); got != "" {
		t.Errorf("the 51st of an admin: a mistake in %q", got)
	}
	err = accounts.Edit(ctx, tx, sites, star.ID, accounts.MemberEdit{DisplayName: new("Star"), TimeZone: new("UTC"), Handles: map[string]string{"uva": "?"}}, modelstest.Noon)
	if m, _ := members.ByID(ctx, tx, star.ID); modelstest.Field(t, err) != "accounts.uva" || m.DisplayName != "star" {
		t.Errorf("a refused edit: %v, and the name is %q; want all or nothing", err, m.DisplayName)
	}
}

// The address of a profile is as good as the handle in it.
func TestHandlesFromAddresses(t *testing.T) {
	tx := modelstest.Tx(t)
	sites := slices.Clone(sites)
	sites[0].HandleIn = func(text string) string { return strings.TrimPrefix(text, "https://codeforces.com/profile/") }
	ann := modelstest.Member(t, tx, "ann", nil, modelstest.Noon)
	for _, text := range []string{" https://codeforces.com/profile/Ann_C ", "Ann_C"} {
		if err := accounts.SetHandles(t.Context(), tx, sites, ann.ID, map[string]string{"codeforces": text}, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		as, err := members.AccountsOf(t.Context(), tx, ann.ID)
		if err != nil || len(as) != 1 || as[0].Handle != "Ann_C" {
			t.Errorf("%q: accounts %+v, error %v, want Ann_C", text, as, err)
		}
	}
	if err := accounts.SetHandles(t.Context(), tx, sites, ann.ID, map[string]string{"codeforces": "https://atcoder.jp/users/x"}, modelstest.Noon); modelstest.Field(t, err) != "accounts.codeforces" {
		t.Errorf("an address of another site: %v", err)
	}
}
