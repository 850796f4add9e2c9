package forums

import (
	"fmt"
	"mime"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Pipermail is the archive of Mailman 1 and 2: a root with a row for each period,
// in it a list of its messages (date.html), a page for each, and all of them in
// one file. The format is what its templates write: Mailman/Archiver/HyperArch.py
// and pipermail.py of Mailman 1.0 to 2.1, of which pages of all times are found
// in one archive.
type pipermail struct{}

func init() { register(pipermail{}) }

func (pipermail) Info() Info {
	return Info{Name: "pipermail", Title: "Pipermail", Hint: "https://lists.example.org/pipermail/reality/", Gap: time.Second}
}

func (pipermail) Start(base string) (Step, error) {
	base, err := directory(base)
	return Step{Address: base, What: Root, Base: base}, err
}

func (pipermail) Read(s Step, a Answer) (Found, error) {
	if _, err := body(Answer{Status: a.Status}); err != nil {
		return Found{}, err
	}
	switch s.What {
	case Root:
		return readAs(s, a, readRoot)
	case Period:
		return readAs(s, a, readPeriod)
	case Message:
		return readAs(s, a, readArticle)
	case Bulk:
		file, err := bulk(a)
		if err != nil {
			return Found{}, err
		}
		return readMonth(s, file)
	}
	return Found{}, fmt.Errorf("%w: pipermail has no %q", ErrFormat, s.What)
}

// readAs reads an answer as a page in its charset.
func readAs(s Step, a Answer, read func(s Step, page string) (Found, error)) (Found, error) {
	raw, err := body(a)
	if err != nil {
		return Found{}, err
	}
	page := inCharset(raw, a.Header)
	f, err := read(s, page)
	if err != nil {
		return Found{}, err
	}
	f.heedRobots(head(page))
	return f, nil
}

var metaCharset = regexp.MustCompile(`(?i)<meta\s[^>]*?charset\s*=\s*["']?([a-z0-9_:.-]{1,40})`)

// inCharset reads a page as what it says of itself, else as the server says,
// unless it is UTF-8 anyway. Within one list there are pages of many charsets.
func inCharset(raw []byte, header func(string) string) string {
	charset := ""
	if m := metaCharset.FindSubmatch(raw[:min(len(raw), 8<<10)]); m != nil {
		charset = string(m[1])
	} else if header != nil && !utf8.Valid(raw) {
		if _, params, err := mime.ParseMediaType(header("Content-Type")); err == nil {
			charset = params["charset"]
		}
	}
	return toUTF8(raw, charset)
}

// head is the part of a page where its meta tags are.
func head(page string) string { return page[:min(len(page), 8<<10)] }

var (
	articleName = regexp.MustCompile(`^(\d{1,9})\.html$`)
	indexName   = regexp.MustCompile(`^(date|thread|subject|author|index)\.html$`)
)

// Detect knows a root, an index and a message by their format and by where they
// stand: base/period/page.
func (pipermail) Detect(at *url.URL, a Answer) (string, bool) {
	page := inCharset(a.Body, a.Header)
	folder, name := path.Split(at.Path)
	parent, period := path.Split(strings.TrimSuffix(folder, "/"))
	inPeriod := false
	switch s := (Step{Address: at.String(), Base: at.String()}); {
	case articleName.MatchString(name):
		_, err := readArticle(s, page)
		inPeriod = err == nil
	case indexName.MatchString(name) || name == "":
		_, ok := periodStart(period)
		_, err := readPeriod(s, page)
		inPeriod = ok && err == nil
	}
	base := *at
	base.RawQuery, base.RawPath = "", ""
	if base.Path = folder; inPeriod {
		base.Path = parent
	} else if _, err := readRoot(Step{Address: at.String(), Base: base.String()}, page); err != nil {
		return "", false
	}
	b, err := directory(base.String())
	return b, err == nil
}

var (
	monthly   = regexp.MustCompile(`^(\d{4})-([A-Z][a-z]+)$`)
	quarterly = regexp.MustCompile(`^(\d{4})q([1-4])$`)
	weekly    = regexp.MustCompile(`^Week-of-Mon-(\d{8})$`)
	daily     = regexp.MustCompile(`^\d{8}$`)
	yearly    = regexp.MustCompile(`^\d{4}$`)
)

// periodStart returns when a period begins: 2014-July, 2012, 2012q1,
// Week-of-Mon-20120326 or 20120326.
func periodStart(name string) (time.Time, bool) {
	var t time.Time
	var err error
	if m := monthly.FindStringSubmatch(name); m != nil {
		t, err = time.Parse("2006-January", name)
	} else if m := quarterly.FindStringSubmatch(name); m != nil {
		q, _ := strconv.Atoi(m[2])
		if t, err = time.Parse("2006", m[1]); err == nil {
			t = t.AddDate(0, 3*(q-1), 0)
		}
	} else if m := weekly.FindStringSubmatch(name); m != nil {
		t, err = time.Parse("20060102", m[1])
	} else if daily.MatchString(name) {
		t, err = time.Parse("20060102", name)
	} else if yearly.MatchString(name) {
		t, err = time.Parse("2006", name)
	} else {
		return time.Time{}, false
	}
	return t, err == nil
}
