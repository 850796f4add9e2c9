package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/guide/cookbook.md anew")

// A step is something that happens, and what the award comes to then, as counted by hand.
type step struct {
	source, item, status, object, at string
	facts                            Facts
	want                             string // Progress and level; the earned period where there are several.
}

func solved(item, problem, at, want string, facts Facts) step {
	if facts == nil {
		facts = Facts{}
	}
	facts["first_solve"] = facts["first_solve"] != false
	if facts["site"] == nil {
		facts["site"] = "codeforces"
	}
	return step{"submissions", item, "active", problem, at, facts, want}
}

func rated(contest, site string, rank, rating int64, want string) step {
	return step{"ratings", contest, "active", contest, "2026-11-02T10:00", Facts{"site": site, "rank": Units(rank), "rating": Units(rating)}, want}
}

func practised(d, want string) step {
	return step{"days", d, "active", d, d + "T00:00", Facts{"submissions": Units(1)}, want}
}

func wrote(source, item, text, want string) step {
	return step{source, item, "active", "list", "2026-11-02T10:00", Facts{"text": text}, want}
}

// repeated are n steps, of which only the last one says what they come to.
func repeated(n int, make func(i int) step, last string) (list []step) {
	for i := range n {
		s := make(i)
		if i < n-1 {
			s.want = "" // Not looked at.
		} else {
			s.want = last
		}
		list = append(list, s)
	}
	return list
}

// galleryHistories are what happened to one member, and what each sample makes of it.
var galleryHistories = map[string][]step{
	"problems": {solved("1", "1A", "2026-11-02T10:00", "1 of 10", nil), solved("2", "1A", "2026-11-02T11:00", "1 of 10", nil),
		{"submissions", "3", "rejected", "1B", "2026-11-02T12:00", nil, "1 of 10"}, solved("3", "1B", "2026-11-02T12:00", "2 of 10", nil)},
	"contests-and-messages": append(repeated(6, func(i int) step { return rated(fmt.Sprint(i), "atcoder", 9, 900, "") }, "5 of 10"),
		wrote("messages", "m1", "hello", "6 of 10"), wrote("posts", "p1", "hello", "6 of 10")),
	"messages-or-posts": append(repeated(2, func(i int) step { return wrote("messages", fmt.Sprint("m", i), "hello", "") }, "2 of 5"),
		repeated(3, func(i int) step { return wrote("posts", fmt.Sprint("p", i), "hello", "") }, "5 of 5, reached")...),
	"talk-and-practice": append(repeated(7, func(i int) step { return wrote("messages", fmt.Sprint("m", i), "hello", "") }, "5 of 15"),
		append(repeated(9, func(i int) step { return solved(fmt.Sprint(i), fmt.Sprint("1", i), "2026-11-02T10:00", "", nil) }, "14 of 15"),
			solved("9", "2A", "2026-11-02T10:00", "15 of 15, reached", nil))...),
	"first-step": {{"submissions", "1", "rejected", "1A", "2026-11-02T10:00", nil, "0 of 1"},
		{"submissions", "2", "moderation", "1A", "2026-11-02T10:00", nil, "0 of 1"}, solved("2", "1A", "2026-11-02T10:00", "1 of 1, reached", nil)},
	"hundred-problems": append(repeated(10, func(i int) step { return solved(fmt.Sprint(i), fmt.Sprint("1", i), "2026-11-02T10:00", "", nil) }, "10 of 100, level 1"),
		append(repeated(40, func(i int) step { return solved(fmt.Sprint("b", i), fmt.Sprint("2", i), "2026-11-02T10:00", "", nil) }, "50 of 100, level 2"),
			repeated(50, func(i int) step { return solved(fmt.Sprint("c", i), fmt.Sprint("3", i), "2026-11-02T10:00", "", nil) }, "100 of 100, level 3, reached")...)...),
	"thirty-days": append([]step{practised("2026-10-30", "1 of 30"), practised("2026-11-01", "1 of 30"), practised("2026-10-31", "3 of 30")}, // 1 November comes before 31 October.
		repeated(27, func(i int) step {
			return practised(time.Date(2026, 11, 2+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), "")
		}, "30 of 30, level 3, reached")...),
	"ten-in-a-day": append(repeated(9, func(i int) step { return solved(fmt.Sprint(i), fmt.Sprint("1", i), "2026-11-02T10:00", "", nil) }, "9 of 10 in 2026-11-02"),
		solved("again", "11", "2026-11-02T23:00", "9 of 10 in 2026-11-02", Facts{"first_solve": false}),
		solved("next day", "2A", "2026-11-03T00:00", "1 of 10 in 2026-11-03", nil),
		solved("tenth", "2B", "2026-11-02T23:59", "10 of 10, reached in 2026-11-02", nil)),
	"five-languages": {solved("1", "1A", "2026-11-02T10:00", "1 of 5", Facts{"language": "GNU C++17"}), solved("2", "1B", "2026-11-02T10:00", "1 of 5", Facts{"language": "cpp"}),
		solved("3", "1C", "2026-11-02T10:00", "2 of 5, level 1", Facts{"language": "PyPy 3-64"}), solved("4", "1D", "2026-11-02T10:00", "3 of 5, level 2", Facts{"language": "JavaScript V8 4.8.0"}),
		solved("5", "1E", "2026-11-02T10:00", "4 of 5, level 2", Facts{"language": "Java 21 64bit"}), solved("6", "1F", "2026-11-02T10:00", "4 of 5, level 2", Facts{"language": "Pascal"}),
		solved("7", "1A", "2026-11-02T10:00", "5 of 5, level 3, reached", Facts{"language": "golang"})},
	"hard-problems": {solved("1", "1A", "2026-11-02T10:00", "0 of 25", Facts{"difficulty": Units(1999)}), solved("2", "1B", "2026-11-02T10:00", "1 of 25, level 1", Facts{"difficulty": Units(2000)}),
		solved("3", "abc_a", "2026-11-02T10:00", "1 of 25, level 1", Facts{"difficulty": Units(2500), "site": "atcoder"}), solved("4", "1C", "2026-11-02T10:00", "1 of 25, level 1", nil),
		solved("5", "1B", "2026-11-03T10:00", "1 of 25, level 1", Facts{"difficulty": Units(2000), "first_solve": false}),
		solved("6", "1D", "2026-11-03T10:00", "2 of 25, level 1", Facts{"difficulty": Units(3500)})},
	"weekend-month": append([]step{ // 30 October 2026 is a Friday.
		solved("fri", "1A", "2026-10-30T23:59", "", nil), solved("sat", "1B", "2026-10-31T00:00", "1 of 20 in 2026-10-01", nil), solved("sun", "1C", "2026-11-01T23:59", "1 of 20 in 2026-11-01", nil),
		solved("mon", "1D", "2026-11-02T00:00", "1 of 20 in 2026-11-01", nil)},
		repeated(19, func(i int) step { return solved(fmt.Sprint(i), fmt.Sprint("2", i), "2026-11-28T12:00", "", nil) }, "20 of 20, reached in 2026-11-01")...),
	"contests": append([]step{rated("1900", "codeforces", 400, 1500, "1 of 50, level 1"), rated("1900", "codeforces", 400, 1500, "1 of 50, level 1")},
		repeated(9, func(i int) step { return rated(fmt.Sprint("abc", i), "atcoder", 9, 900, "") }, "10 of 50, level 2")...),
	"codeforces-rating": {rated("1900", "codeforces", 400, 1399, "1399 of 1900, level 1"), rated("abc300", "atcoder", 3, 2800, "1399 of 1900, level 1"),
		rated("1901", "codeforces", 100, 1600, "1600 of 1900, level 3"), rated("1902", "codeforces", 900, 1450, "1600 of 1900, level 3"),
		rated("1903", "codeforces", 1, 1900, "1900 of 1900, level 4, reached")},
	"podium-finish": {rated("1", "codeforces", 4, 1500, "0 of 10"), rated("2", "atcoder", 3, 1500, "1 of 10, level 1"), rated("3", "codeforces", 0, 1500, "1 of 10, level 1"),
		rated("4", "codeforces", 1, 1500, "2 of 10, level 1"), rated("5", "codeforces", 2, 1500, "3 of 10, level 2")},
	"forum-voice": append([]step{wrote("messages", "short", strings.Repeat("a", 49), "0 of 50"), wrote("messages", "blank", strings.Repeat("a", 49)+" ", "0 of 50"),
		wrote("messages", "m0", strings.Repeat("é", 50), "1 of 50"), wrote("posts", "p", strings.Repeat("a", 50), "1 of 50")},
		repeated(4, func(i int) step { return wrote("messages", fmt.Sprint("n", i), strings.Repeat("a", 60), "") }, "5 of 50, level 1")...),
	"city-explorer": {wrote("photo", "p1", "", "1 of 15"), wrote("photo", "p2", "", "2 of 15"), wrote("reviews", "r1", strings.Repeat("a", 100), "2 of 15"),
		wrote("reviews", "r2", strings.Repeat("a", 101), "3 of 15"), wrote("reviews", "r3", strings.Repeat("a", 101), "3 of 15"), // Of the same place.
		{"photo", "p2", "blocked", "list", "2026-11-02T10:00", nil, "2 of 15"},
		{"navi", "", "", "", "2026-11-02T10:00", Facts{"metres": Units(4999)}, "6.999 of 15"}, {"navi", "", "", "", "2026-11-02T10:00", Facts{"metres": Units(7001)}, "12 of 15"},
		wrote("photo", "p3", "", "13 of 15"), wrote("photo", "p4", "", "14 of 15"), wrote("photo", "p5", "", "15 of 15, reached"), wrote("photo", "p6", "", "15 of 15, reached")},
}

func TestTheGalleryCountsWhatItSays(t *testing.T) {
	t.Parallel()
	for _, sample := range Gallery() {
		a := sample.Award
		t.Run(a.Slug, func(t *testing.T) {
			steps := galleryHistories[a.Slug]
			if len(steps) == 0 {
				t.Fatal("no history was counted by hand")
			}
			ledgers := map[string]*ledger{} // By period.
			for i, s := range steps {
				at, err := time.Parse("2006-01-02T15:04", s.at)
				if err != nil {
					t.Fatal(err)
				}
				e := Event{Source: s.source, ID: fmt.Sprint(i), Item: s.item, Seq: int64(i + 1), Member: "ada", Type: s.source, Object: s.object, Status: s.status, At: at, Facts: s.facts}
				period := ""
				if a.Window != nil {
					p, _ := a.Window.Period(&e)
					period = p.Start
				}
				if ledgers[period] == nil {
					ledgers[period] = newLedger(t, a)
				}
				ledgers[period].apply(e)
				if got := said(ledgers[period].progress("ada"), len(a.Levels), period); s.want != "" && got != s.want {
					t.Errorf("after %d, %s %s: %s, want %s", i+1, s.source, s.item, got, s.want)
				}
			}
		})
	}
}

func said(p Progress, levels int, period string) string {
	words := p.Value.String() + " of " + p.Goal.String()
	if levels > 0 && p.Level > 0 {
		words += fmt.Sprint(", level ", p.Level)
	}
	if p.Reached {
		words += ", reached"
	}
	if period != "" {
		words += " in " + period
	}
	return words
}

// Every sample has all that its card shows, is taken by other editors' schema, and has an address that is its own.
func TestTheGallery(t *testing.T) {
	t.Parallel()
	schema, slugs := compiled(t), map[string]bool{}
	categories, cookbook := 0, 0
	for _, s := range Gallery() {
		if err := validates(t, schema, s.Text); err != nil {
			t.Errorf("%s: %v", s.Award.Slug, err)
		}
		if s.About == "" || s.Award.Text == "" || s.Award.Picture == nil {
			t.Errorf("%s lacks words or a picture", s.Award.Slug)
		}
		for _, o := range s.Award.Objectives {
			for _, f := range o.Filters {
				if f.Name == "ExpressionFilter" {
					t.Errorf("%s needs an expression", s.Award.Slug)
				}
			}
		}
		if slugs[s.Award.Slug] {
			t.Errorf("two are called %s", s.Award.Slug)
		}
		slugs[s.Award.Slug] = true
		if s.Category {
			categories++
		} else {
			cookbook++
		}
	}
	for _, a := range Starter() {
		if slugs[a.Slug] {
			t.Errorf("%s is an award of the starter set", a.Slug)
		}
	}
	if categories != 4 || cookbook != 12 {
		t.Errorf("%d categories and %d recipes, want 4 and 12", categories, cookbook)
	}
}

// The page of the guide is made of the gallery: `go test ./models/awards/rules -run TestTheCookbook -update`.
func TestTheCookbookIsTheGallery(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Cookbook of awards\n\nReady documents. **Admin, Manage awards, New award** offers each of them: one click opens it in the editor, where it is changed as needed.\n" +
		"[awards.md](awards.md) says what filters, rules and keys mean. A test keeps this page the same as what Laurel offers.\n")
	for _, group := range []bool{true, false} {
		b.WriteString(map[bool]string{true: "\n## Four ways to combine tasks\n", false: "\n## Recipes\n"}[group])
		for _, s := range Gallery() {
			if s.Category == group {
				fmt.Fprintf(&b, "\n### %s\n\n%s: %s\n\n    %s\n", s.About, s.Award.Title, s.Award.Text, strings.ReplaceAll(s.Text, "\n", "\n    "))
			}
		}
	}
	if *update {
		path := filepath.Join("..", "..", "..", "docs", "guide", "cookbook.md")
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := guide(t, "cookbook.md"); got != b.String() {
		t.Error("docs/guide/cookbook.md is not what the gallery says; write it anew with -update")
	}
}
