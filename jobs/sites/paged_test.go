package sites

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// chefHistory is n rows, newest first, two a minute, some of them equal, every
// third without a number.
func chefHistory(n int) []chefRow {
	var rows []chefRow
	at := time.Date(2026, 9, 16, 20, 0, 0, 0, time.UTC)
	for i := range n {
		r := chefRow{time: at.Add(-time.Duration(i/2) * time.Minute).Format("03:04 PM 02/01/06"), href: "/problems/X", code: "X",
			word: "wrong answer", language: "C"}
		if i%3 != 0 {
			r.id = fmt.Sprint(100000 - i)
		}
		rows = append(rows, r)
	}
	return rows
}

// With every size of page, also where the list grows by a row with every answer,
// each row comes once, and what it is called does not depend on the pages.
func TestPagedWhileItGrows(t *testing.T) {
	rows := chefHistory(60)
	want, _, err := chefRead(t, Account{Handle: "ada"}, chefServer(60, func(int) []chefRow { return rows }))
	if err != nil {
		t.Fatal(err)
	}
	for size := 3; size < 20; size++ {
		for _, every := range []int{0, 1, 2, 5} {
			subs, _, err := chefRead(t, Account{Handle: "ada"}, chefServer(size, func(asked int) []chefRow {
				if every == 0 {
					return rows
				}
				var more []chefRow
				for i := range asked / every {
					more = append(more, chefRow{time: "11:30 PM 16/09/26", href: "/problems/NEW", code: "NEW", word: "accepted", language: "C",
						id: fmt.Sprint(200000 - i)})
				}
				return append(more, rows...)
			}))
			if err != nil {
				t.Fatalf("pages of %d, a row every %d answers: %v", size, every, err)
			}
			if got, want := ids(t, subs), ids(t, want); !slices.Equal(got, want) {
				t.Errorf("pages of %d, a row every %d answers: %d rows, want %d\n%q\n%q", size, every, len(got), len(want), got, want)
			}
		}
	}
}

// A retrieval stops on covered ground, with the whole minute where it begins.
func TestPagedStopsOnCoveredGround(t *testing.T) {
	rows := chefHistory(60)
	first, _, _ := chefRead(t, Account{Handle: "ada"}, chefServer(12, func(int) []chefRow { return rows }))
	covered := first[15].At.Add(20 * time.Second)
	subs, asked, err := chefRead(t, Account{Handle: "ada", CoveredAt: covered, CoveredID: "x"},
		chefServer(12, func(int) []chefRow { return rows }))
	if err != nil || len(asked) != 2 || len(subs) != 16 || subs[15].ID != first[15].ID {
		t.Errorf("%d rows by %d requests (%v), want 16 by 2", len(subs), len(asked), err)
	}
	if _, _, err = chefRead(t, Account{Handle: "ada", CoveredAt: covered, CoveredID: "x"},
		chefServer(12, func(int) []chefRow { return rows[:10] })); !errors.Is(err, ErrFormat) {
		t.Errorf("a list that has lost what was read: %v", err)
	}
}

// A reading that is interrupted anywhere goes on there, and both together are all
// the list has, with the same names, whatever was added meanwhile.
func TestPagedGoesOn(t *testing.T) {
	rows := chefHistory(70)
	more := append([]chefRow{{time: "11:30 PM 16/09/26", href: "/problems/NEW", code: "NEW", word: "accepted", language: "C", id: "900000"},
		{time: "11:29 PM 16/09/26", href: "/problems/NEW", code: "NEW", word: "accepted", language: "C"}}, rows...)
	want, _, _ := chefRead(t, Account{Handle: "ada"}, chefServer(6, func(int) []chefRow { return more }))
	broken := Page{200, []byte(`<html>`)}
	for failing := 1; failing < 13; failing++ {
		got := map[string]bool{}
		serve := chefServer(6, func(int) []chefRow { return rows })
		get := &fake{t: t}
		get.serve = server(func(n int, u *url.URL) Page {
			if n == failing {
				return broken
			}
			return serve(n, u)
		})
		a := Account{Handle: "ada"}
		first, _ := allPages(codechef{}.Submissions(t.Context(), get, a))
		for _, s := range first.Rows {
			got[s.ID] = true
		}
		place := first.Resume
		if (place == "") != (failing < 2) {
			t.Errorf("after %d pages the place is %q", failing, place)
		}
		a.ResumeFrom = place
		again := &fake{t: t, serve: chefServer(6, func(int) []chefRow { return more })}
		rest, err := all(codechef{}.Submissions(t.Context(), again, a))
		if err != nil {
			t.Fatalf("going on after %d pages: %v", failing, err)
		}
		for _, s := range rest {
			got[s.ID] = true
		}
		for _, id := range ids(t, want) {
			if !got[id] {
				t.Errorf("after %d pages and on from %q, %s is missing", failing, place, id)
			}
		}
		if len(got) != len(want) {
			t.Errorf("after %d pages %d rows, want %d", failing, len(got), len(want))
		}
		if failing == 9 && (len(again.asked) > 8 || !strings.HasSuffix(again.asked[0], "page=7") &&
			!strings.HasSuffix(again.asked[0], "page=8")) {
			t.Errorf("after 9 pages asked again for %q", again.asked)
		}
	}
}

// Two equal rows at the border of two pages are two, and one that has moved over
// the border is one.
func TestPagedEqualRowsAtTheBorder(t *testing.T) {
	r := chefRow{time: "08:42 PM 16/09/26", href: "/problems/X", code: "X", word: "accepted", language: "C"}
	old := chefRow{time: "08:40 PM 16/09/26", href: "/problems/Y", code: "Y", word: "accepted", language: "C"}
	newer := chefRow{time: "08:43 PM 16/09/26", href: "/problems/Z", code: "Z", word: "accepted", language: "C"}
	subs, _, err := chefRead(t, Account{Handle: "ada"}, chefServer(2, func(int) []chefRow { return []chefRow{newer, r, r, old} }))
	if err != nil || len(ids(t, subs)) != 4 {
		t.Errorf("%d rows (%v), want 4", len(subs), err)
	}
	subs, _, err = chefRead(t, Account{Handle: "ada"}, chefServer(2, func(asked int) []chefRow {
		if asked == 0 {
			return []chefRow{newer, r, old, old}
		}
		return []chefRow{newer, newer, r, old, old}
	}))
	if err != nil || len(ids(t, subs)) != 4 {
		t.Errorf("%d rows (%v), want 4: one moved", len(subs), err)
	}
}

// A server that gives the same page for every number is not read for ever.
func TestPagedEndsWhereNoPageIsTurned(t *testing.T) {
	numbered := chefRow{time: "08:42 PM 16/09/26", href: "/problems/X", code: "X", word: "accepted", language: "C", id: "7"}
	bare := numbered
	bare.id = ""
	older := bare
	older.time = "08:41 PM 16/09/26"
	for _, rows := range [][]chefRow{{numbered}, {bare}, {bare, bare}, {bare, older}, {numbered, bare}, {bare, numbered}} {
		_, asked, err := chefRead(t, Account{Handle: "ada"}, always(200, string(chefPage(1e8, rows...).Body)))
		if !errors.Is(err, ErrFormat) || len(asked) > 12 {
			t.Errorf("%v: %d requests, error %v", rows, len(asked), err)
		}
	}
}
