package standin

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// A uvaRecord is a recorded list of uHunt, which does not tell the member's number.
type uvaRecord struct {
	Name  string            `json:"name"`
	Uname string            `json:"uname"`
	Subs  []json.RawMessage `json:"subs"`
}

// A uvaRecording is what was recorded of uHunt.
type uvaRecording struct {
	people   []uvaRecord // The number of the first is firstUID.
	problems []json.RawMessage
}

func (p *uvaRecording) files() []recordedFile {
	return []recordedFile{
		{"subs-user-last_*", p.loadSubs},
		{"p_num_*", func(_ string, text []byte) error { p.problems = append(p.problems, text); return nil }},
	}
}

func (p *uvaRecording) loadSubs(_ string, text []byte) error {
	var r uvaRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	p.people = append(p.people, r)
	return nil
}

// handleOf is the handle of a number.
func (p *uvaRecording) handleOf(uid string) string {
	if n, err := strconv.Atoi(uid); err == nil && n >= firstUID && n < firstUID+len(p.people) {
		return p.people[n-firstUID].Uname
	}
	return ""
}

func (p *uvaRecording) answer(q question) answer {
	words := parts(q.r)
	if words[0] == "p" {
		return p.problem(words)
	}
	i := slices.IndexFunc(p.people, func(r uvaRecord) bool { return r.Uname == q.handle })
	switch {
	case q.handle == "" || i < 0:
		return uva{}.unknown(q)
	case words[0] == "uname2uid":
		return asJSON(http.StatusOK, firstUID+i)
	case words[0] == "ranklist":
		return noRank // A list of the last few rows does not tell how many there are.
	}
	r := p.people[i]
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
func (p *uvaRecording) problem(words []string) answer {
	all := [][]any{}
	for _, text := range p.problems {
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
