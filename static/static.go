// Package static holds the styles and the script, and serves them.
//
// They are embedded, so the program is one file. What build made is in dist;
// without it our own styles alone are served, and pages work plainly. A name has
// the hash of its content, so a browser may keep the file for ever.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed all:dist app.css awards.css posts.css past.css forums.css compare.css
var embedded embed.FS

const prefix = "/static/"

// Files are the addresses of the styles and the script, and of those that only
// the pages of awards and their editor, of posts and their curve, of forums, and of the past have. A script
// is "" when nothing was built.
type Files struct {
	Styles, Script, Awards, Editor, Posts, Curve, Forums, Past string
}

// A file is one address.
type file struct {
	data, small []byte // small is compressed; nil if there is none.
	kind, hash  string
}

// all is what is served, by address.
var all = sync.OnceValue(func() map[string]file {
	files := map[string]file{}
	for _, name := range []string{"app", "awards", "posts", "past", "forums"} {
		if own, err := embedded.ReadFile(name + ".css"); err == nil {
			if name == "forums" { // As they are built: in one file.
				more, _ := embedded.ReadFile("compare.css")
				own = append(own, more...)
			}
			f := newFile(name+".css", own)
			files[prefix+name+"-"+f.hash+".css"] = f
		}
	}
	entries, _ := embedded.ReadDir("dist") // Embedded: it is there.
	for _, e := range entries {
		data, err := embedded.ReadFile("dist/" + e.Name())
		if err != nil || kindOf(e.Name()) == "" {
			continue
		}
		f := newFile(e.Name(), data)
		f.small, _ = embedded.ReadFile("dist/" + e.Name() + ".gz") // nil is none.
		files[prefix+e.Name()] = f
	}
	return files
})

func newFile(name string, data []byte) file {
	sum := sha256.Sum256(data)
	return file{data: data, kind: kindOf(name), hash: hex.EncodeToString(sum[:5])}
}

// kindOf returns the media type of the names that are served.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	}
	return ""
}

// Assets returns the addresses that pages refer to.
func Assets() Files {
	var built, own Files
	if manifest, err := embedded.ReadFile("dist/manifest.json"); err == nil && json.Unmarshal(manifest, &built) == nil &&
		built.Styles != "" && built.Awards != "" && built.Posts != "" && built.Forums != "" && built.Past != "" {
		return Files{prefix + built.Styles, prefix + built.Script, prefix + built.Awards, prefix + built.Editor, prefix + built.Posts,
			prefix + built.Curve, prefix + built.Forums, prefix + built.Past}
	}
	for address := range all() {
		switch {
		case strings.HasPrefix(address, prefix+"app-"):
			own.Styles = address
		case strings.HasPrefix(address, prefix+"awards-"):
			own.Awards = address
		case strings.HasPrefix(address, prefix+"posts-"):
			own.Posts = address
		case strings.HasPrefix(address, prefix+"forums-"):
			own.Forums = address
		case strings.HasPrefix(address, prefix+"past-"):
			own.Past = address
		}
	}
	return own
}

// Handler serves the files below /static/.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := all()[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", f.kind)
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("Vary", "Accept-Encoding")
		data, tag := f.data, f.hash
		if f.small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			data, tag = f.small, f.hash+"-gz"
		}
		h.Set("ETag", `"`+tag+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	})
}
