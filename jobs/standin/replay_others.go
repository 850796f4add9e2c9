package standin

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// An atRecord is a recorded row of AtCoder, with what is needed to find it.
type atRecord struct {
	at, id int64
	text   json.RawMessage
}

func (p *replay) loadResults(_ string, text []byte) error {
	var rows []json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		return err
	}
	for _, row := range rows {
		var x struct {
			ID   int64  `json:"id"`
			At   int64  `json:"epoch_second"`
			User string `json:"user_id"`
		}
		if err := json.Unmarshal(row, &x); err != nil {
			return err
		}
		p.at[x.User] = append(p.at[x.User], atRecord{x.At, x.ID, row})
	}
	for _, rows := range p.at {
		slices.SortFunc(rows, func(a, b atRecord) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	}
	return nil
}

func (p *replay) atcoder(q question) answer {
	if q.r.URL.Path == atProblems && p.atProblems != nil {
		return answer{status: http.StatusOK, body: p.atProblems}
	}
	if q.handle == "" {
		return nothing
	}
	rows, known := p.at[q.handle]
	switch {
	case !known:
		return atcoder{}.unknown(q)
	case q.r.URL.Path == "/users/"+q.handle:
		return p.atUser(q.handle).page()
	case q.r.URL.Path == "/users/"+q.handle+"/history/json" && p.atHistory != nil:
		return answer{status: http.StatusOK, body: p.atHistory}
	case q.r.URL.Path != atSubmissions:
		return nothing
	}
	from, err := number(q, "from_second", 0)
	if err != nil {
		return atBadQuery
	}
	page := []json.RawMessage{}
	for _, x := range rows {
		if x.at >= int64(from) && len(page) < atPage {
			page = append(page, x.text)
		}
	}
	return asJSON(http.StatusOK, page)
}

// A uvaRecord is a recorded list of uHunt, which does not tell the member's number.
type uvaRecord struct {
	Name  string            `json:"name"`
	Uname string            `json:"uname"`
	Subs  []json.RawMessage `json:"subs"`
}

func (p *replay) loadSubs(_ string, text []byte) error {
	var r uvaRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	p.uva = append(p.uva, r)
	return nil
}

// handleOf is the handle of a number.
func (p *replay) handleOf(uid string) string {
	if n, err := strconv.Atoi(uid); err == nil && n >= firstUID && n < firstUID+len(p.uva) {
		return p.uva[n-firstUID].Uname
	}
	return ""
}

func (p *replay) uHunt(q question) answer {
	words := parts(q.r)
	if words[0] == "p" {
		return p.problem(words)
	}
	i := slices.IndexFunc(p.uva, func(r uvaRecord) bool { return r.Uname == q.handle })
	switch {
	case q.handle == "" || i < 0:
		return uva{}.unknown(q)
	case words[0] == "uname2uid":
		return asJSON(http.StatusOK, firstUID+i)
	case words[0] == "ranklist":
		return noRank // A list of the last few rows does not tell how many there are.
	}
	r := p.uva[i]
	if len(words) > 2 {
		n, _ := strconv.Atoi(words[2])
		if words[0] == "subs-user-last" {
			r.Subs = r.Subs[len(r.Subs)-min(max(n, 0), len(r.Subs)):]
		} else {
			r.Subs = slices.DeleteFunc(slices.Clone(r.Subs), func(row json.RawMessage) bool { return firstNumber(row) <= int64(n) })
		}
	}
	return asJSON(http.StatusOK, r)
}

// firstNumber is the id of a row, which is an array of numbers.
func firstNumber(row json.RawMessage) int64 {
	var numbers []int64
	if json.Unmarshal(row, &numbers) != nil || len(numbers) == 0 {
		return 0
	}
	return numbers[0]
}

// problem is one recorded problem by its number, or the list of all.
func (p *replay) problem(words []string) answer {
	all := [][]any{}
	for _, text := range p.uvaProblems {
		var x struct {
			PID   int64  `json:"pid"`
			Num   int64  `json:"num"`
			Title string `json:"title"`
		}
		if err := json.Unmarshal(text, &x); err != nil {
			continue // Not a problem, so nobody's.
		}
		if len(words) == 3 && words[1] == "num" && words[2] == strconv.FormatInt(x.Num, 10) {
			return answer{status: http.StatusOK, body: text}
		}
		row := make([]any, 21)
		for i := range row {
			row[i] = 0
		}
		row[0], row[1], row[2] = x.PID, x.Num, x.Title
		all = append(all, row)
	}
	if len(words) == 1 {
		return asJSON(http.StatusOK, all)
	}
	return nothing
}
