package standin

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// A cfRecord is what was recorded of a handle, every row as it came.
type cfRecord struct {
	handle         string
	status, rating []json.RawMessage
	info           json.RawMessage
	newest         int64
}

// A cfRecording is what was recorded of Codeforces, by handles in small letters: of
// the handle that is in a file and in its name.
type cfRecording map[string]*cfRecord

func (p cfRecording) files() []recordedFile {
	return []recordedFile{{"user.status_*", p.loadStatus}, {"user.rating_*", p.loadRating}, {"user.info_*", p.loadInfo}}
}

// record returns the record of a handle that a file's name speaks of, or nil:
// a file may also hold rows of somebody else, made up to show a field.
func (p cfRecording) record(file, handle string) *cfRecord {
	words := strings.ReplaceAll(strings.TrimSuffix(strings.ToLower(file), ".json")+"_", "__", "_")
	if handle == "" || !strings.Contains(words, "_"+strings.ToLower(handle)+"_") {
		return nil
	}
	r := p[strings.ToLower(handle)]
	if r == nil {
		r = &cfRecord{handle: handle}
		p[strings.ToLower(handle)] = r
	}
	return r
}

func cfResults(text []byte) ([]json.RawMessage, error) {
	var envelope struct{ Result []json.RawMessage }
	err := json.Unmarshal(text, &envelope)
	return envelope.Result, err // A refusal has no result, which is fine: it records nobody.
}

func (p cfRecording) loadStatus(file string, text []byte) error {
	rows, err := cfResults(text)
	if err != nil {
		return err
	}
	for _, row := range rows {
		var x struct {
			Author  struct{ Members []struct{ Handle string } }
			Created int64 `json:"creationTimeSeconds"`
		}
		if err := json.Unmarshal(row, &x); err != nil {
			return err
		}
		for _, m := range x.Author.Members {
			if r := p.record(file, m.Handle); r != nil {
				r.status, r.newest = append(r.status, row), max(r.newest, x.Created)
			}
		}
	}
	return nil
}

func (p cfRecording) loadRating(file string, text []byte) error {
	return p.loadOwned(file, text, func(r *cfRecord, row json.RawMessage) { r.rating = append(r.rating, row) })
}

func (p cfRecording) loadInfo(file string, text []byte) error {
	return p.loadOwned(file, text, func(r *cfRecord, row json.RawMessage) { r.info = row })
}

// loadOwned gives every row to the handle that it names.
func (p cfRecording) loadOwned(file string, text []byte, give func(*cfRecord, json.RawMessage)) error {
	rows, err := cfResults(text)
	if err != nil {
		return err
	}
	for _, row := range rows {
		var x struct{ Handle string }
		if err := json.Unmarshal(row, &x); err != nil {
			return err
		}
		if r := p.record(file, x.Handle); r != nil {
			give(r, row)
		}
	}
	return nil
}

func (p cfRecording) answer(q question) answer {
	if q.r.URL.Path == "/api/contest.list" { // Recorded people take part in nothing new.
		return asJSON(http.StatusOK, cfOK{"OK", []cfContest{cfContestOf(0, q.now.Unix())}})
	}
	var infos []json.RawMessage
	for handle := range strings.SplitSeq(q.handle, ";") {
		r := p[strings.ToLower(handle)]
		if r == nil {
			q.handle = handle
			return codeforces{}.unknown(q)
		}
		switch q.r.URL.Path {
		case "/api/user.status":
			return r.page(q)
		case "/api/user.rating":
			return asJSON(http.StatusOK, cfOK{"OK", append([]json.RawMessage{}, r.rating...)})
		case "/api/user.info":
			infos = append(infos, r.user())
		default:
			return nothing
		}
	}
	return asJSON(http.StatusOK, cfOK{"OK", infos})
}

func (r *cfRecord) page(q question) answer {
	from, err := number(q, "from", 1)
	if err != nil || from < 1 {
		return cfRefusal("from: Field should be a positive integer")
	}
	count, err := number(q, "count", len(r.status))
	if err != nil || count < 0 {
		return cfRefusal("count: Field should be a positive integer")
	}
	rows := r.status[min(from-1, len(r.status)):]
	return asJSON(http.StatusOK, cfOK{"OK", append([]json.RawMessage{}, slices.Clip(rows)[:min(count, len(rows))]...)})
}

// user is what was recorded, or what follows from the rows.
func (r *cfRecord) user() json.RawMessage {
	if r.info != nil {
		return r.info
	}
	return asJSON(http.StatusOK, map[string]any{"handle": r.handle, "lastOnlineTimeSeconds": r.newest}).body
}
