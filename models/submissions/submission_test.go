package submissions_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	modelsubmissions "laurel/models/submissions"
)

func submissions(t testing.TB, db *gorm.DB, f modelsubmissions.Filter, c pg.Cursor, newer bool, limit int) ([]string, modelsubmissions.Page) {
	t.Helper()
	c, err := pg.ParseCursor(c.String()) // As it travels.
	if err != nil {
		t.Fatal(err)
	}
	page, err := modelsubmissions.Of(t.Context(), db, f, c, newer, limit)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, s := range page.Items {
		ids = append(ids, s.SiteID)
	}
	return ids, page
}

// Pages forth and back over rows that share their second, while new ones come:
// every old row once, in one order.
func TestSubmissionPages(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 7, 23, 100} {
		tx := modelstest.Tx(t)
		m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, modelstest.Noon)
		f := modelsubmissions.Filter{MemberID: m.ID}
		d := modelstest.Claim(t, tx, "a", modelstest.Noon)
		var rows []retrieval.Found
		for i := range 23 {
			rows = append(rows, found(fmt.Sprint(i), modelstest.Noon.Add(time.Duration(i/5)*time.Second), "AC")) // Ties of five.
		}
		modelstest.StorePage(t, tx, d, modelstest.Noon, rows...)
		all, whole := submissions(t, tx, f, pg.Cursor{}, false, 1000)
		if len(all) != 23 || whole.Next != (pg.Cursor{}) || whole.Previous != (pg.Cursor{}) {
			t.Fatalf("the whole list has %d rows, next %v, previous %v", len(all), whole.Next, whole.Previous)
		}
		var forth []string
		var cursors []pg.Cursor // Each page's way back.
		at := pg.Cursor{}
		for n := 0; ; n++ {
			ids, page := submissions(t, tx, f, at, false, limit)
			forth = append(forth, ids...)
			cursors = append(cursors, page.Previous)
			modelstest.StorePage(t, tx, d, modelstest.Noon, found(fmt.Sprint("new", n), modelstest.Noon.Add(time.Hour), "AC")) // Meanwhile.
			if at = page.Next; at == (pg.Cursor{}) {
				break
			}
		}
		if !slices.Equal(forth, all) {
			t.Errorf("limit %d: pages gave %v, want %v", limit, forth, all)
		}
		if cursors[0] != (pg.Cursor{}) {
			t.Errorf("limit %d: the first page has one before it", limit)
		}
		back := slices.Clone(forth[(len(cursors)-1)*limit:])
		for at := cursors[len(cursors)-1]; at != (pg.Cursor{}); {
			ids, page := submissions(t, tx, f, at, true, limit)
			if len(ids) > limit {
				t.Fatalf("limit %d: %d rows", limit, len(ids))
			}
			back, at = append(ids, back...), page.Previous
		}
		i := slices.Index(back, all[0])
		if limit < 23 && (i != len(cursors) || !slices.Equal(back[i:], all)) {
			t.Errorf("limit %d: pages back gave %v, want the %d new ones and %v", limit, back, len(cursors), all)
		}
	}
}

func TestSubmissionFilters(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x", "b": "y"}, modelstest.Noon)
	eve := modelstest.Member(t, tx, "eve", map[string]string{"c": "z"}, modelstest.Noon)
	row := func(id string, hours int, status, language, key, name string) retrieval.Found {
		return retrieval.Found{ID: id, At: modelstest.Noon.Add(time.Duration(hours) * time.Hour), Status: status, Language: language, ProblemKey: key, ProblemName: name}
	}
	modelstest.StorePage(t, tx, modelstest.Claim(t, tx, "a", modelstest.Noon), modelstest.Noon, row("1", 0, "AC", "GNU C++17", "4A", "Watermelon"), row("2", 1, "WA", "Python 3", "1_2", "100% of a_b\\c"), row("3", 2, "AC", "C#", "12", "Ünïcode"))
	modelstest.StorePage(t, tx, modelstest.Claim(t, tx, "b", modelstest.Noon), modelstest.Noon, row("4", 3, "AC", "c++", "4A", ""))
	modelstest.StorePage(t, tx, modelstest.Claim(t, tx, "c", modelstest.Noon), modelstest.Noon, row("5", 4, "AC", "Go", "x", "it's"))
	for _, tt := range []struct {
		name string
		f    modelsubmissions.Filter
		want string // Ids, newest first.
	}{
		{"all", modelsubmissions.Filter{}, "5 4 3 2 1"},
		{"a member", modelsubmissions.Filter{MemberID: m.ID}, "4 3 2 1"},
		{"another", modelsubmissions.Filter{MemberID: eve.ID}, "5"},
		{"nobody", modelsubmissions.Filter{MemberID: 999}, ""},
		{"site", modelsubmissions.Filter{Site: "a"}, "3 2 1"},
		{"no such site", modelsubmissions.Filter{Site: "a' OR '1'='1"}, ""},
		{"status", modelsubmissions.Filter{Status: "WA"}, "2"},
		{"no such status", modelsubmissions.Filter{Status: "wa\x00"}, ""},
		{"language", modelsubmissions.Filter{Language: "C++"}, "4 1"},
		{"any case", modelsubmissions.Filter{Language: "pYTHON"}, "2"},
		{"a percent sign is one", modelsubmissions.Filter{Problem: "%"}, "2"},
		{"an underscore is one", modelsubmissions.Filter{Problem: "_"}, "2"},
		{"in the key", modelsubmissions.Filter{Problem: "1_"}, "2"},
		{"a backslash is one", modelsubmissions.Filter{Problem: `\`}, "2"},
		{"a backslash at the end", modelsubmissions.Filter{Problem: `b\`}, "2"},
		{"a backslash before nothing", modelsubmissions.Filter{Language: `\`}, ""},
		{"key or name", modelsubmissions.Filter{Problem: "4a"}, "4 1"},
		{"not ASCII", modelsubmissions.Filter{Problem: "Ünï"}, "3"},
		{"a quote", modelsubmissions.Filter{Problem: "it's"}, "5"},
		{"not a parameter", modelsubmissions.Filter{Problem: "@part"}, ""},
		{"not one either", modelsubmissions.Filter{Problem: "?", Language: "$1"}, ""},
		{"bad bytes", modelsubmissions.Filter{Problem: "Water\xff\x00melon"}, "1"},
		{"since", modelsubmissions.Filter{Since: modelstest.Noon.Add(2 * time.Hour)}, "5 4 3"},
		{"until, not with it", modelsubmissions.Filter{Until: modelstest.Noon.Add(2 * time.Hour)}, "2 1"},
		{"a time", modelsubmissions.Filter{Since: modelstest.Noon.Add(time.Hour), Until: modelstest.Noon.Add(3 * time.Hour)}, "3 2"},
		{"no time", modelsubmissions.Filter{Since: modelstest.Noon, Until: modelstest.Noon}, ""},
		{"all together", modelsubmissions.Filter{MemberID: m.ID, Site: "a", Status: "AC", Language: "c", Problem: "melon", Since: modelstest.Noon, Until: modelstest.Noon.Add(1)}, ""},
		{"all but the fraction", modelsubmissions.Filter{MemberID: m.ID, Site: "a", Status: "AC", Language: "c", Problem: "melon", Since: modelstest.Noon, Until: modelstest.Noon.Add(time.Microsecond)}, "1"},
	} {
		if ids, _ := submissions(t, tx, tt.f, pg.Cursor{}, false, 10); strings.Join(ids, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, ids, tt.want)
		}
		all, _, err := modelsubmissions.Counts(t.Context(), tx, tt.f, "UTC", time.Time{}, time.Time{})
		if err != nil || all.Submitted != len(strings.Fields(tt.want)) {
			t.Errorf("%s: counted %d (%v), want %s", tt.name, all.Submitted, err, tt.want)
		}
	}
	// In Tokyo the fourth is on the next day.
	all, days, err := modelsubmissions.Counts(t.Context(), tx, modelsubmissions.Filter{MemberID: m.ID}, "Asia/Tokyo", modelstest.Noon.AddDate(0, 0, -1), modelstest.Noon.AddDate(0, 0, 1))
	slices.SortFunc(days, func(a, b modelsubmissions.Count) int { return a.Day.Compare(b.Day) })
	if err != nil || all.Submitted != 4 || all.Accepted != 3 || len(days) != 2 || days[0].Submitted != 3 || days[0].Accepted != 2 || days[1].Submitted != 1 ||
		days[1].Day.Sub(days[0].Day) != 24*time.Hour {
		t.Errorf("counts %v and %v (%v)", all, days, err)
	}
	ids, page := submissions(t, tx, modelsubmissions.Filter{MemberID: m.ID, Language: "c"}, pg.Cursor{}, false, 2)
	rest, _ := submissions(t, tx, modelsubmissions.Filter{MemberID: m.ID, Language: "c"}, page.Next, false, 2)
	if got := strings.Join(append(ids, rest...), " "); got != "4 3 1" || page.Items[0].Member != "ada" {
		t.Errorf("filtered pages gave %s", got)
	}
}

func TestParseCursor(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, bad := range []string{"x", "!!", text("."), text("1"), text("1."), text(".1"), text("1.2.3"), text("a.b"), text("1 .2"), text("1.0x2"), text("9223372036854775808.1"),
		text("9223372036854775807.1"), text("-9223372036854775808.1"), text("253402300800000001.1"), text("-62135596800000001.1"), text("1.9223372036854775808"), text("NaN.1"), text("1.1") + "=", "' OR 1=1 --", "\x00", strings.Repeat("A", 10_000)} {
		if c, err := pg.ParseCursor(bad); modelstest.Field(t, err) != "cursor" || c != (pg.Cursor{}) {
			t.Errorf("%.40q: got %v, %v; want a mistake in cursor", bad, c, err)
		}
	}
	for _, c := range []pg.Cursor{{}, {At: modelstest.Noon, ID: 1}, {At: modelstest.Noon.Add(123 * time.Microsecond), ID: 1 << 62}, {At: time.UnixMicro(-1).UTC(), ID: -5}, {At: time.UnixMicro(0).UTC()}} {
		if got, err := pg.ParseCursor(c.String()); err != nil || got != c {
			t.Errorf("%v came back as %v, %v", c, got, err)
		}
	}
}

// Any cursor that parses is one that PostgreSQL can look up.
func TestFarCursors(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	for _, s := range []string{"-62135596800000000.1", "253402300800000000.1", "0.-9223372036854775808", "1.9223372036854775807"} {
		c, err := pg.ParseCursor(base64.RawURLEncoding.EncodeToString([]byte(s)))
		if err != nil {
			t.Fatal(err)
		}
		for _, newer := range []bool{false, true} {
			if ids, _ := submissions(t, tx, modelsubmissions.Filter{}, c, newer, 5); len(ids) > 0 {
				t.Errorf("%s: %v of nothing", s, ids)
			}
		}
	}
}
