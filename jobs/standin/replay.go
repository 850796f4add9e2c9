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
// The first rule that fits wins. A * in the path matches one part of it, as a value
// for anything that is given; what the rule does not mention is ignored.
// Status and type may be left out.
//
// What no rule answers is answered from files with well known names in a folder by
// the name of the site: see the recording of each. Lists are served as the sites do
// it. All other handles are unknown and all other addresses are 404.
type replay struct {
	folder string
	rules  []rule
	sites  map[string]recording
}

// A recording is what was recorded of one site.
type recording interface {
	// files are what can be loaded, by the names of the files.
	files() []recordedFile
	answer(q question) answer
}

// A recordedFile loads all files whose names fit a pattern.
type recordedFile struct {
	pattern string
	load    func(name string, text []byte) error
}

// A rule is one line of replay.json.
type rule struct {
	Request string `json:"request"`
	File    string `json:"file"`
	Status  int    `json:"status"`
	Type    string `json:"type"`
}

func loadReplay(folder string) (*replay, error) {
	p := &replay{folder: folder, sites: map[string]recording{}}
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
	for _, j := range judges.All() {
		if j.recorded == nil {
			continue
		}
		site := j.recorded()
		p.sites[j.name()] = site
		for _, f := range site.files() {
			if err := loadFiles(filepath.Join(folder, j.name(), f.pattern), f.load); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

func loadFiles(pattern string, load func(string, []byte) error) error {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return fmt.Errorf("recorded files: %w", err)
	}
	for _, name := range names {
		if err := loadFile(name, load); err != nil {
			return err
		}
	}
	return nil
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
	if site, ok := p.sites[x.name()]; ok {
		return site.answer(q)
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
