package standin

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// Reading from the last second seen, as the pages overlap, brings every row.
func TestAtCoderPages(t *testing.T) {
	s := at(start.Add(12*time.Hour), Options{})
	handle := s.People()[6].Handles["atcoder"]
	seen, from := map[int64]bool{}, int64(0)
	for {
		page := read[[]struct {
			ID          int64
			EpochSecond int64  `json:"epoch_second"`
			UserID      string `json:"user_id"`
			Result      string
		}](t, s, fmt.Sprintf("/atcoder/atcoder-api/v3/user/submissions?user=%s&from_second=%d", handle, from))
		if len(page) > 500 {
			t.Fatalf("a page of %d rows", len(page))
		}
		for _, r := range page {
			if r.EpochSecond < from || r.UserID != handle || r.Result == "" {
				t.Fatalf("row %+v, want it at or after %d", r, from)
			}
			seen[r.ID], from = true, r.EpochSecond
		}
		if len(page) < 500 {
			break
		}
	}
	if want := len(s.Submissions("atcoder", handle)); len(seen) != want {
		t.Errorf("pages brought %d rows, want %d", len(seen), want)
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

// The endings of ranks are English.
func TestPlaces(t *testing.T) {
	for rank, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 22: "22nd", 113: "113th",
		12121: "12121st"} {
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

func init() {
	pagesOf["atcoder"] = func(_ Person, h string) []string {
		return []string{"/atcoder/atcoder-api/v3/user/submissions?user=" + h + "&from_second=0", "/users/" + h + "/history/json", "/users/" + h}
	}
}

// The crawler has no rows of somebody who is not there, and says no more; the site has no page.
func TestAtCoderKnowsNobody(t *testing.T) {
	wantAnswers(t, map[string]string{"/atcoder/atcoder-api/v3/user/submissions?user=zz&from_second=0": `200 []`})
	if status, _ := ask(t, at(start, Options{}), "/users/zz_nobody"); status != 404 {
		t.Errorf("the page of nobody: %d, want 404", status)
	}
}

// Every problem somebody has tried is in the catalogue.
func TestAtCoderCatalogue(t *testing.T) {
	s := at(start, Options{})
	tasks := map[string]bool{}
	for _, p := range read[[]struct{ ID, Title string }](t, s, "/atcoder/resources/problems.json") {
		tasks[p.ID] = p.Title != ""
	}
	for _, x := range s.Submissions("atcoder", "sample_00000") {
		if !tasks[x.Problem] {
			t.Fatalf("%s is not in the catalogue", x.Problem)
		}
	}
}

// A rank moves in a week without a contest of the person's own, because others have theirs.
func TestAtCoderRanksDrift(t *testing.T) {
	handle := at(start, Options{}).People()[3].Handles["atcoder"] // Dormant: joins no more.
	before, after := cell(t, at(start, Options{}), handle, ">Rank"), cell(t, at(start.AddDate(0, 0, 8), Options{}), handle, ">Rank")
	if before == "" || before == after {
		t.Errorf("rank %q, a week later %q", before, after)
	}
}
