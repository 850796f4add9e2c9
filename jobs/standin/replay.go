package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A replay answers from a folder of recorded files.
//
// The folder may hold a replay.json that says which file answers what:
//
//	[{"request": "/api/user.status?handle=ada&from=*", "file": "codeforces/ada.json", "status": 200, "type": "application/json"}]
//
// The first rule that fits wins. A * in the path stands for one word, as a value
// for anything that is given; what the rule does not mention is not looked at.
// Status and type may be left out.
//
// What no rule answers is answered from files with well known names: under
// codeforces user.status_*, user.rating_* and user.info_*, of the handle that is
// in them and in their name; under atcoder kenkoooo_results_user_*,
// users_history_json_* and problems.json; under uva subs-user-last_* and p_num_*.
// Lists are served as the sites do it, from, count and from_second included. All
// other handles are unknown and all other addresses are 404.
type replay struct {
	folder string
	rules  []rule
	cf     map[string]*cfRecord // By handle in small letters.
	at     map[string][]atRecord
	// History does not say whose it is, so it is everybody's.
	atHistory, atProblems json.RawMessage
	uva                   []uvaRecord // The number of the first is firstUID.
	uvaProblems           []json.RawMessage
}

// A rule is one line of replay.json.
type rule struct {
	Request string `json:"request"`
	File    string `json:"file"`
	Status  int    `json:"status"`
	Type    string `json:"type"`
}

func loadReplay(folder string) (*replay, error) {
	p := &replay{folder: folder, cf: map[string]*cfRecord{}, at: map[string][]atRecord{}}
	if info, err := os.Stat(folder); err != nil {
		return nil, fmt.Errorf("recorded files: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("recorded files: %s is not a folder", folder)
	}
	text, err := os.ReadFile(filepath.Join(folder, "replay.json"))
	if err == nil {
		err = json.Unmarshal(text, &p.rules)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("replay.json: %w", err)
	}
	for _, known := range []struct {
		pattern string
		load    func(name string, text []byte) error
	}{
		{"codeforces/user.status_*", p.loadStatus},
		{"codeforces/user.rating_*", p.loadRating},
		{"codeforces/user.info_*", p.loadInfo},
		{"atcoder/kenkoooo_results_user_*", p.loadResults},
		{"atcoder/users_history_json_*", func(_ string, text []byte) error { p.atHistory = text; return nil }},
		{"atcoder/problems.json", func(_ string, text []byte) error { p.atProblems = text; return nil }},
		{"uva/subs-user-last_*", p.loadSubs},
		{"uva/p_num_*", func(_ string, text []byte) error { p.uvaProblems = append(p.uvaProblems, text); return nil }},
	} {
		names, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(known.pattern)))
		if err != nil {
			return nil, fmt.Errorf("recorded files: %w", err)
		}
		for _, name := range names {
			if err := loadFile(name, known.load); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

func loadFile(name string, load func(string, []byte) error) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("recorded files: %w", err)
	}
	if err := load(filepath.Base(name), text); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (p *replay) answer(x site, q question) answer {
	for _, r := range p.rules {
		if r.fits(q.r) {
			return p.file(r)
		}
	}
	switch x.name() {
	case "codeforces":
		return p.codeforces(q)
	case "atcoder":
		return p.atcoder(q)
	case "uva":
		return p.uHunt(q)
	}
	return nothing
}

var nothing = answer{status: http.StatusNotFound, typ: "text/plain", body: []byte("not recorded\n")}

func (r rule) fits(request *http.Request) bool {
	pattern, rest, _ := strings.Cut(r.Request, "?")
	if ok, err := path.Match(pattern, request.URL.Path); err != nil || !ok {
		return false
	}
	asked := query(request)
	for pair := range strings.SplitSeq(rest, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if key != "" && (!asked.Has(key) || value != "*" && asked.Get(key) != value) {
			return false
		}
	}
	return true
}

// file is read when it is asked for, so that a recording can be corrected while it plays.
func (p *replay) file(r rule) answer {
	root, err := os.OpenRoot(p.folder) // A rule must not reach out of the folder.
	if err != nil {
		return answer{status: http.StatusInternalServerError, typ: "text/plain", body: []byte(err.Error())}
	}
	defer func() { _ = root.Close() }()
	body, err := root.ReadFile(r.File)
	if err != nil {
		return answer{status: http.StatusInternalServerError, typ: "text/plain", body: []byte(err.Error())}
	}
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	return answer{status: r.Status, typ: r.Type, body: body}
}
