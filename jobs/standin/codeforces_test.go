package standin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

type statusPage struct {
	Status string
	Result []struct {
		ID                  int64
		ContestID           *int
		CreationTimeSeconds int64
		Problem             struct {
			ContestID      *int
			ProblemsetName string
			Index, Name    string
			Tags           []string
		}
		Author              struct{ Members []struct{ Handle string } }
		ProgrammingLanguage string
		Verdict             string
	}
}

// Pages of any size, newest first, join to what is true.
func TestCodeforcesPages(t *testing.T) {
	s := at(start.Add(20*time.Hour), Options{})
	for _, i := range []int{0, 4, 7} {
		handle := s.People()[i].Handles["codeforces"]
		var got []string
		for from := 1; ; from += 300 {
			page := read[statusPage](t, s, fmt.Sprintf("/api/user.status?handle=%s&from=%d&count=300", strings.ToUpper(handle), from))
			for _, r := range page.Result {
				got = append(got, strconv.FormatInt(r.ID, 10)+" "+r.Verdict)
				if r.Author.Members[0].Handle != handle || r.Problem.Tags == nil {
					t.Fatalf("row of %s: %+v", handle, r)
				}
			}
			if len(page.Result) < 300 {
				break
			}
		}
		slices.Reverse(got)
		for j, x := range s.Submissions("codeforces", handle) {
			if j >= len(got) || got[j] != x.ID+" "+x.Verdict {
				t.Fatalf("%s: row %d of %d is not %s %s", handle, j, len(got), x.ID, x.Verdict)
			}
		}
	}
}

// The gym person has rows of the gym and of acmsguru, which has no contest.
func TestCodeforcesOddRows(t *testing.T) {
	s := at(start, Options{})
	var gyms, gurus int
	for _, r := range read[statusPage](t, s, "/api/user.status?handle="+s.People()[7].Handles["codeforces"]).Result {
		switch {
		case r.ContestID == nil && r.Problem.ContestID == nil && r.Problem.ProblemsetName == "acmsguru":
			gurus++
		case *r.ContestID >= 100000:
			gyms++
		}
	}
	if gyms == 0 || gurus == 0 {
		t.Errorf("%d rows of the gym and %d of acmsguru, want some of both", gyms, gurus)
	}
}

func TestCodeforcesPeople(t *testing.T) {
	s := at(start, Options{})
	a, b := s.People()[1].Handles["codeforces"], s.People()[2].Handles["codeforces"]
	info := read[struct {
		Result []struct {
			Handle                        string
			Rating, LastOnlineTimeSeconds int64
		}
	}](t, s, "/api/user.info?handles="+b+";"+a+"&checkHistoricHandles=false")
	if len(info.Result) != 2 || info.Result[0].Handle != b || info.Result[1].Handle != a {
		t.Fatalf("info = %+v, want %s and %s in this order", info, b, a)
	}
	subs := s.Submissions("codeforces", a)
	if online := info.Result[1].LastOnlineTimeSeconds; online < subs[len(subs)-1].At.Unix() || online > start.Unix() {
		t.Errorf("last online at %d, but submitted at %d", online, subs[len(subs)-1].At.Unix())
	}
	ratings := read[struct {
		Result []struct{ OldRating, NewRating, RatingUpdateTimeSeconds int64 }
	}](t, s, "/api/user.rating?handle="+b)
	for i, r := range ratings.Result[1:] {
		if before := ratings.Result[i]; r.OldRating != before.NewRating || r.RatingUpdateTimeSeconds <= before.RatingUpdateTimeSeconds {
			t.Errorf("rating %+v comes after %+v", r, before)
		}
	}
	if last := ratings.Result[len(ratings.Result)-1]; last.NewRating != info.Result[0].Rating {
		t.Errorf("rating %d in the list, %d in the profile", last.NewRating, info.Result[0].Rating)
	}
}

type infoPage struct {
	Result []struct {
		FirstName, LastName, Country, Organization, Rank, MaxRank string
		Rating, MaxRating                                         int
	}
}

func init() {
	pagesOf["codeforces"] = func(_ Person, h string) []string {
		return []string{"/api/user.status?handle=" + h, "/api/user.rating?handle=" + h, "/api/user.info?handles=" + h}
	}
}

func TestCodeforcesKnowsNobody(t *testing.T) {
	wantAnswers(t, map[string]string{
		"/api/user.status?handle=zz_nobody":                 `400 {"status":"FAILED","comment":"handle: User with handle zz_nobody not found"}`,
		"/api/user.info?handles=sample-amber-fox;zz_nobody": `400 {"status":"FAILED","comment":"handles: User with handle zz_nobody not found"}`,
	})
}

// A title follows the rating.
func TestCodeforcesTitles(t *testing.T) {
	s := at(start, Options{})
	for _, p := range s.People() {
		for _, u := range read[infoPage](t, s, "/api/user.info?handles="+p.Handles["codeforces"]).Result {
			if (u.Rating == 0) != (u.Rank == "") || u.Rating > 0 && (u.Rank != cfRank(u.Rating) || u.MaxRank != cfRank(u.MaxRating)) {
				t.Errorf("%s: %+v", p.Name, u)
			}
		}
	}
}
