package standin

import "net/http"

// A uvaRank is one line of uHunt's ranking.
type uvaRank struct {
	Rank     int    `json:"rank"`
	Old      int    `json:"old"` // 1 for members of the old site.
	UserID   int    `json:"userid"`
	Name     string `json:"name"`
	Username string `json:"username"`
	AC       int    `json:"ac"`       // Problems accepted.
	NOS      int    `json:"nos"`      // Submissions.
	Activity [5]int `json:"activity"` // Problems accepted in 2, 7 and 31 days, 3 months, a year.
}

// noRank is a ranking without a line: who has submitted nothing has no place in it.
var noRank = answer{status: http.StatusOK, body: []byte("[]")}

// ranklist is a person's own line. Neighbours are not in this world, so none are
// above or below, however many are asked for.
func (uva) ranklist(s *Server, p *person, now int64) answer {
	rows := s.rows(p, "uva", now)
	if len(rows) == 0 {
		return noRank
	}
	line := uvaRank{UserID: firstUID + p.Index, Name: s.nameOf(p, now), Username: p.Handles["uva"], NOS: len(rows)}
	solved := map[int]bool{}
	for i := range rows {
		x := &rows[i]
		if uvaVerdict(x, now) != uvaVerdicts[accepted] || solved[x.contest] {
			continue
		}
		solved[x.contest] = true
		for j, days := range []int64{2, 7, 31, 91, 365} {
			if x.at > now-days*daySeconds {
				line.Activity[j]++
			}
		}
	}
	line.AC = len(solved)
	line.Rank = 1 + 200000/(1+line.AC) // The more problems, the fewer people before.
	return asJSON(http.StatusOK, []uvaRank{line})
}
