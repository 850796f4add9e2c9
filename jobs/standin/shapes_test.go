package standin

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// read asks and parses; the structs here are the test's own, written after the recorded files.
func read[T any](t *testing.T, s *Server, address string) T {
	t.Helper()
	var v T
	status, body := ask(t, s, address)
	if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 {
		t.Fatalf("%s: status %d, %v: %.200s", address, status, err, body)
	}
	return v
}

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

// Each site says in its own way that somebody does not exist.
func TestUnknownHandles(t *testing.T) {
	s := at(start, Options{})
	for address, want := range map[string]string{
		"/api/user.status?handle=zz_nobody":                              `400 {"status":"FAILED","comment":"handle: User with handle zz_nobody not found"}`,
		"/api/user.info?handles=sample-amber-fox;zz_nobody":              `400 {"status":"FAILED","comment":"handles: User with handle zz_nobody not found"}`,
		"/atcoder/atcoder-api/v3/user/submissions?user=zz&from_second=0": `200 []`,
		"/api/uname2uid/zz%20nobody":                                     `200 0`,
		"/api/ranklist/1/0/0":                                            `200 []`,
	} {
		if status, body := ask(t, s, address); fmt.Sprint(status, " ", body) != want {
			t.Errorf("%s: %d %s, want %s", address, status, body, want)
		}
	}
	if status, _ := ask(t, s, "/users/zz_nobody"); status != 404 {
		t.Errorf("AtCoder's page of nobody: %d, want 404", status)
	}
}

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

// Every problem somebody has tried is in the catalogue, and an unchanged one is not sent again.
func TestCatalogues(t *testing.T) {
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
	pids := map[string]bool{}
	for _, p := range read[[][]any](t, s, "/api/p") {
		pids[fmt.Sprintf("%.0f", p[0])] = p[1] != 0 && p[2] != "" && len(p) == 21
	}
	for _, x := range s.Submissions("uva", "sample_amber_fox") {
		if !pids[x.Problem] {
			t.Fatalf("problem %s is not in the catalogue", x.Problem)
		}
	}
	if n := read[struct{ PID, Num int }](t, s, "/api/p/num/100"); n.PID != 36 {
		t.Errorf("problem 100 has id %d, want 36", n.PID)
	}
}

func TestUVa(t *testing.T) {
	s := at(start, Options{})
	for _, handle := range []string{"sample_amber_fox", "sample brisk owl"} {
		uid := read[int](t, s, "/api/uname2uid/"+url.PathEscape(handle))
		type list struct {
			Uname string
			Subs  [][7]int64
		}
		all := read[list](t, s, fmt.Sprint("/api/subs-user/", uid))
		truth := s.Submissions("uva", handle)
		if all.Uname != handle || len(all.Subs) != len(truth) {
			t.Fatalf("%q has %d rows, want %d", all.Uname, len(all.Subs), len(truth))
		}
		middle := truth[len(truth)/2].ID
		if newer := read[list](t, s, fmt.Sprint("/api/subs-user/", uid, "/", middle)); len(newer.Subs) != len(truth)-len(truth)/2-1 {
			t.Errorf("%d rows behind row %d of %d", len(newer.Subs), len(truth)/2, len(truth))
		}
		if last := read[list](t, s, fmt.Sprint("/api/subs-user-last/", uid, "/3")); len(last.Subs) != 3 {
			t.Errorf("%d rows of the last 3", len(last.Subs))
		}
	}
}
