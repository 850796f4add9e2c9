package standin

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
)

// An atRecord is a recorded row of AtCoder, with what is needed to find it.
type atRecord struct {
	at, id int64
	text   json.RawMessage
}

// An atRecording is what was recorded of AtCoder.
type atRecording struct {
	rows     map[string][]atRecord // By handle.
	history  json.RawMessage       // It does not say whose it is, so it is everybody's.
	problems json.RawMessage
}

func (p *atRecording) files() []recordedFile {
	return []recordedFile{
		{"kenkoooo_results_user_*", p.loadResults},
		{"users_history_json_*", func(_ string, text []byte) error { p.history = text; return nil }},
		{"problems.json", func(_ string, text []byte) error { p.problems = text; return nil }},
	}
}

func (p *atRecording) loadResults(_ string, text []byte) error {
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
		p.rows[x.User] = append(p.rows[x.User], atRecord{x.At, x.ID, row})
	}
	for _, rows := range p.rows {
		slices.SortFunc(rows, func(a, b atRecord) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	}
	return nil
}

func (p *atRecording) answer(q question) answer {
	if q.r.URL.Path == atProblems && p.problems != nil {
		return answer{status: http.StatusOK, body: p.problems}
	}
	if q.handle == "" {
		return nothing
	}
	rows, known := p.rows[q.handle]
	switch {
	case !known:
		return atcoder{}.unknown(q)
	case q.r.URL.Path == "/users/"+q.handle:
		return p.user(q.handle).page()
	case q.r.URL.Path == "/users/"+q.handle+"/history/json" && p.history != nil:
		return answer{status: http.StatusOK, body: p.history}
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
