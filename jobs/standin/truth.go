package standin

import (
	"strconv"
	"time"
)

// A Submission is the truth about a row, for tests to compare with what was read.
type Submission struct {
	ID          string    `json:"id"`
	At          time.Time `json:"at"`
	Problem     string    `json:"problem"` // codeforces "2204B" or "acmsguru-120", atcoder "abc123_c", uva "36": the id that rows give, not the number; hackerrank "amber-harbour-12" or "sample-w3/amber-harbour-12".
	ProblemName string    `json:"problem_name"`
	Verdict     string    `json:"verdict"` // The site's own word now; on Codeforces "" while it waits.
	Language    string    `json:"language"`
	Seen        time.Time `json:"seen"`       // When the site began to show it.
	Settled     time.Time `json:"settled"`    // When the verdict came.
	Hacked      time.Time `json:"hacked"`     // When it was or will be broken; zero means never.
	Unnumbered  bool      `json:"unnumbered"` // The site does not show the ID: CodeChef, while the contest runs and sometimes for ever.
	Late        bool      `json:"late"`       // Shown hours after it was made, so newer ones may have been shown before.
}

// Submissions returns what a perfect reader would have of a handle now, oldest
// first (on LeetCode, which shows the newest only, one who had looked at all times); nil when the handle does not exist.
func (s *Server) Submissions(site, handle string) []Submission {
	return s.SubmissionsAt(site, handle, s.o.Now())
}

// SubmissionsAt is Submissions at any instant, past or to come.
func (s *Server) SubmissionsAt(site, handle string, at time.Time) []Submission {
	p, ok := s.personOf(site, handle)
	if !ok {
		return nil
	}
	rows := s.rows(p, site, at.Unix())
	if site == "hackerrank" { // Which tells of nothing else.
		rows = hrSolved(rows, at.Unix())
	}
	all := make([]Submission, len(rows))
	for i := range rows {
		all[i] = truth(&rows[i], site, at.Unix())
	}
	return all
}

func truth(x *row, site string, now int64) Submission {
	t := Submission{
		ID: strconv.FormatInt(x.id, 10), At: utc(x.at), Seen: utc(x.seen), Settled: utc(x.settled), Late: x.late,
	}
	if x.hacked != 0 {
		t.Hacked = utc(x.hacked)
	}
	switch site {
	case "codeforces":
		p := cfProblemOf(x)
		t.Problem = strconv.Itoa(p.ContestID) + p.Index
		if p.Problemset != "" {
			t.Problem = p.Problemset + "-" + p.Index
		}
		t.ProblemName, t.Verdict, t.Language = p.Name, cfVerdict(x, now), cfLanguages[x.language%len(cfLanguages)]
	case "atcoder":
		t.Problem, t.ProblemName = atProblemKey(x.contest, x.letter), title('a', uint64(x.contest), uint64(x.letter))
		t.Verdict, t.Language = atVerdict(x, now), atLanguages[x.language%len(atLanguages)]
	case "codechef":
		t.Problem, t.ProblemName = ccCode(x.contest, x.letter), ccCode(x.contest, x.letter)
		t.Verdict, t.Language, t.Unnumbered = ccVerdict(x, now), ccLanguages[x.language%len(ccLanguages)], !ccNumbered(x, now)
	case "spoj":
		t.Problem, t.ProblemName = spojCode(x.contest), title('s', uint64(x.contest))
		t.Verdict, t.Language = spojVerdict(x, now), spojLanguages[x.language%len(spojLanguages)]
	case "timus":
		t.Problem, t.ProblemName = strconv.Itoa(1000+x.contest), title('m', uint64(x.contest))
		t.Verdict, t.Language = timusVerdict(x, now), timusLanguages[x.language%len(timusLanguages)]
	case "uva":
		t.Problem, t.ProblemName = strconv.FormatInt(uvaPID(x.contest), 10), title('u', uint64(x.contest))
		t.Verdict, t.Language = strconv.FormatInt(uvaVerdict(x, now), 10), strconv.Itoa(1+x.language%6)
	case "hackerrank":
		t.ID, t.Problem, t.ProblemName = hrID(x), hrProblem(x), hrTitle(x)
		t.Verdict = "Accepted"
	case "hackerearth":
		t.Problem, t.ProblemName = heSlug(x), heTitle(x)
		t.Verdict, t.Language = heVerdict(x, now), heLanguages[x.language%len(heLanguages)]
	case "leetcode":
		t.ID, t.Problem, t.ProblemName = lcID(x), lcSlug(x), lcTitle(x)
		t.Verdict, t.Language = lcVerdict(x, now), lcLanguages[x.language%len(lcLanguages)]
	}
	return t
}

func utc(unix int64) time.Time { return time.Unix(unix, 0).UTC() }

// Case names a submission with a story, for Find.
type Case string

// The cases that can be found.
const (
	Fresh  Case = "fresh"  // Any submission: its verdict comes at Settled, about a minute after At.
	Hacked Case = "hacked" // Accepted on Codeforces, broken at Hacked within a day.
	Late   Case = "late"   // On AtCoder, shown at Seen, hours after At.
)

// Find returns the first submission of a case that is made in the 60 days after
// an instant, with its site and person. A test then sets its clock by the times in it.
func (s *Server) Find(c Case, after time.Time) (string, Person, Submission, bool) {
	site := "codeforces"
	if c == Late {
		site = "atcoder"
	}
	for day := int(unixDay(after.Unix())); day < int(unixDay(after.Unix()))+60; day++ {
		for _, p := range s.people {
			if p.nothing || p.Handles[site] == "" || day < p.begin[site] {
				continue
			}
			for _, x := range s.dayRows(nil, p, site, day) {
				if x.at > after.Unix() && (c == Fresh || c == Hacked && x.hacked != 0 || c == Late && x.late) {
					return site, p.Person, truth(&x, site, x.at), true
				}
			}
		}
	}
	return "", Person{}, Submission{}, false
}
