package standin

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"testing"
	"time"
)

type infoPage struct {
	Result []struct {
		FirstName, LastName, Country, Organization, Rank, MaxRank string
		Rating, MaxRating                                         int
	}
}

// cell is what AtCoder's page of a person shows in a row, "" where it has none.
func cell(t *testing.T, s *Server, handle, label string) string {
	t.Helper()
	status, body := ask(t, s, "/users/"+handle+"?lang=en")
	if status != 200 {
		t.Fatalf("the page of %s: status %d", handle, status)
	}
	found := regexp.MustCompile(label + `</th><td[^>]*>(?:<span>)?([^<]*)`).FindStringSubmatch(body)
	if found == nil {
		return ""
	}
	return found[1]
}

// What the pages say of ratings is what the lists of contests say.
func TestProfilesAgreeWithRatings(t *testing.T) {
	s := at(start.AddDate(0, 3, 0), Options{})
	rated := 0
	for _, p := range s.People() {
		handle := p.Handles["atcoder"]
		if handle == "" {
			continue
		}
		now, best := 0, 0
		for _, c := range read[[]struct{ NewRating int }](t, s, "/users/"+handle+"/history/json") {
			now, best = c.NewRating, max(best, c.NewRating)
		}
		want := [2]string{strconv.Itoa(now), strconv.Itoa(best)}
		if now == 0 {
			want = [2]string{}
		} else {
			rated++
		}
		if got := [2]string{cell(t, s, handle, ">Rating"), cell(t, s, handle, "Highest Rating")}; got != want {
			t.Errorf("%s: ratings %q, want %q", handle, got, want)
		}
	}
	if rated < 10 {
		t.Errorf("%d people are rated, want most", rated)
	}
}

func TestRanklistAgreesWithSubmissions(t *testing.T) {
	s := at(start.AddDate(0, 3, 0), Options{})
	for _, p := range s.People() {
		handle := p.Handles["uva"]
		if handle == "" {
			continue
		}
		solved := map[string]bool{}
		truth := s.Submissions("uva", handle)
		for _, x := range truth {
			if x.Verdict == "90" {
				solved[x.Problem] = true
			}
		}
		uid := read[int](t, s, "/api/uname2uid/"+url.PathEscape(handle))
		lines := read[[]uvaRank](t, s, fmt.Sprintf("/api/ranklist/%d/0/0", uid))
		if len(truth) == 0 && len(lines) == 0 {
			continue
		}
		if len(lines) != 1 || lines[0].AC != len(solved) || lines[0].NOS != len(truth) || lines[0].UserID != uid || lines[0].Rank < 1 {
			t.Errorf("%s: %+v, want one line with %d solved of %d", handle, lines, len(solved), len(truth))
		}
	}
}

// Time that passes changes what people say of themselves, on every site at once.
func TestFactsChange(t *testing.T) {
	ask := func(index int, now time.Time) (string, string, string) {
		s := at(now, Options{})
		handles := s.People()[index].Handles
		info := read[infoPage](t, s, "/api/user.info?handles="+handles["codeforces"]).Result[0]
		if a := cell(t, s, handles["atcoder"], "Affiliation"); a != info.Organization {
			t.Errorf("person %d: %q on one site and %q on the other", index, a, info.Organization)
		}
		return info.FirstName + " " + info.LastName, info.Organization, info.Country
	}
	moves := start.AddDate(0, 0, 21)
	_, before, country := ask(0, moves.Add(-time.Second))
	_, after, _ := ask(0, moves)
	if before == after || country != "India" {
		t.Errorf("person 0 of %q works at %q before and %q after the third week", country, before, after)
	}
	signs := start.AddDate(0, 0, 70)
	long, _, _ := ask(7, signs.Add(-time.Second))
	short, _, _ := ask(7, signs)
	if len(short) >= len(long) {
		t.Errorf("person 7 is %q before and %q after the tenth week", long, short)
	}
}

// A rank moves in a week without a contest of the person's own, because others
// have theirs, and a title follows the rating.
func TestRanksDrift(t *testing.T) {
	handle := at(start, Options{}).People()[3].Handles["atcoder"] // Dormant: joins no more.
	before, after := cell(t, at(start, Options{}), handle, ">Rank"), cell(t, at(start.AddDate(0, 0, 8), Options{}), handle, ">Rank")
	if before == "" || before == after {
		t.Errorf("rank %q, a week later %q", before, after)
	}
	for _, p := range at(start, Options{}).People() {
		for _, u := range read[infoPage](t, at(start, Options{}), "/api/user.info?handles="+p.Handles["codeforces"]).Result {
			if (u.Rating == 0) != (u.Rank == "") || u.Rating > 0 && (u.Rank != cfRank(u.Rating) || u.MaxRank != cfRank(u.MaxRating)) {
				t.Errorf("%s: %+v", p.Name, u)
			}
		}
	}
}

// The endings of ranks are English.
func TestPlaces(t *testing.T) {
	for rank, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 22: "22nd", 113: "113th", 12121: "12121st"} {
		if got := (atUser{Rank: rank}).Place(); got != want {
			t.Errorf("%d is %s, want %s", rank, got, want)
		}
	}
	for best, want := range map[int]string{1: "10 Kyu", 758: "7 Kyu", 1999: "1 Kyu", 2000: "1 Dan", 3092: "6 Dan"} {
		if got := (atUser{Best: best, Matches: 1}).Title(); got != want {
			t.Errorf("%d is %s, want %s", best, got, want)
		}
	}
}
