package standin

import (
	"fmt"
	"net/url"
	"testing"
)

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

func init() {
	pagesOf["uva"] = func(p Person, _ string) []string {
		return []string{fmt.Sprint("/api/subs-user/", firstUID+p.Index), fmt.Sprint("/api/ranklist/", firstUID+p.Index, "/0/0")}
	}
}

func TestUVaKnowsNobody(t *testing.T) {
	wantAnswers(t, map[string]string{"/api/uname2uid/zz%20nobody": `200 0`, "/api/ranklist/1/0/0": `200 []`})
}

// Every problem somebody has tried is in the catalogue.
func TestUVaCatalogue(t *testing.T) {
	s := at(start, Options{})
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
