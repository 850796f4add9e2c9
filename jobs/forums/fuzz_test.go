package forums

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

// seeds are answers of every kind, and of none.
func seeds(f *testing.F) []string {
	all := []string{"", "null", "<html>", "\x1f\x8b", "From a@b Thu Jan  1 00:00:00 1970\nFrom: a@b\n\nx\n",
		`{"latest_posts":[{"id":1,"topic_id":1,"post_number":1,"raw":"x"}]}`, `{"count":1,"next":"x","results":[]}`,
		`{"message_id_hash":"AVQACIAMKVOG3CGFDDIM4VTAV4COP46F","content":"x","date":"2015-10-14T18:48:44Z","sender":{"address":"a (a) b"}}`}
	for _, name := range []string{"pipermail/index.html", "pipermail/2004-April/date.html", "pipermail/2004-April/000178.html",
		"pipermail/1999-August/000007.html", "pipermail/2004-April.txt", "discourse_posts.json", "hyperkitty_emails.json", "inbox.atom",
		"small.mbox"} {
		all = append(all, fakesite.Testdata(f, name))
	}
	return all
}

// Whatever an archive answers: no panic, an error that says what kind it is, and
// what is found can be kept and stays in the forum.
func FuzzRead(f *testing.F) {
	for _, body := range seeds(f) {
		f.Add(200, body, "2004-April/000178.html")
	}
	f.Add(404, "", "posts.json?before=50")
	f.Add(300, "", "new.atom?t=20150904192946")
	f.Fuzz(func(t *testing.T, status int, body, rest string) {
		for _, k := range All() {
			start, err := k.Start(k.Info().Hint)
			if err != nil {
				t.Fatal(err)
			}
			for _, what := range []string{Root, Period, Page, Message, Bulk} {
				s := start
				if s.What = what; what != Root {
					s.Address, s.Period, s.Bulk = s.Base+rest, "2004-April", s.Base+"2004-April.txt"
				}
				found, err := k.Read(s, Answer{Status: status, Body: []byte(body)})
				if err != nil {
					if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrGone) && !errors.Is(err, ErrTooLarge) {
						t.Errorf("%s: %s: %v", k.Info().Name, what, err)
					}
					continue
				}
				if !strings.Contains(rest, " ") && strings.IndexFunc(rest, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
					wantSound(t, s, found)
				}
				if found.Bulk == nil {
					continue
				}
				if month, err := k.Read(*found.Bulk, Answer{Status: 200, Body: []byte(body)}); err == nil {
					wantSound(t, *found.Bulk, month)
				}
			}
		}
	})
}

// The file of a month and its index, whatever they are: no message gets the place
// of two, and what has no place is asked for.
func FuzzMonth(f *testing.F) {
	f.Add(fakesite.Testdata(f, "pipermail/2004-April/date.html"), fakesite.Testdata(f, "pipermail/2004-April.txt"))
	f.Fuzz(func(t *testing.T, index, month string) {
		list, err := pipermail{}.Read(april, answer(index))
		if err != nil || list.Bulk == nil {
			return
		}
		got, err := pipermail{}.Read(*list.Bulk, answer(month))
		if err != nil {
			return
		}
		wantSound(t, *list.Bulk, got)
		places := map[string]bool{}
		for _, m := range got.Messages {
			places[m.URL] = true
		}
		for _, s := range got.Steps {
			places[s.Address] = true
		}
		if len(places) != len(list.Listed) || len(got.Messages)+len(got.Steps) != len(list.Listed) ||
			got.Complete != (len(got.Steps) == 0) {
			t.Errorf("%d listed, %d messages, %d steps, %d places", len(list.Listed), len(got.Messages), len(got.Steps), len(places))
		}
	})
}

// A page of nothing but beginnings takes no longer than its length allows.
func TestHostileTextsEnd(t *testing.T) {
	start := worked(t)
	for _, s := range []string{"<a", "<a ", `<a ="`, `<a ='"`, "<script>", "</script", "<!--", "&", "<p>", "http://", "<a href=\"",
		"(http://a", "<li><a href=\"1.html\">", "<b>", "<tr><td><a href=\"x/date.html\">"} {
		source := strings.Repeat(s, 1<<16/len(s))
		_ = plainText(source)
		var m Mail
		m.setBody(source)
		for _, what := range []string{Root, Period, Message} {
			_, _ = pipermail{}.Read(Step{Address: knots + "2004-April/1.html", What: what, Base: knots}, answer(source))
			_, _ = pipermail{}.Read(Step{Address: knots + "2004-April/1.html", What: what, Base: knots},
				answer("</i><br><b>x</b> 5<p><h1>x</h1><!--beginarticle-->"+source+"<!--endarticle-->"))
		}
	}
	if d := worked(t) - start; d > 10*time.Second {
		t.Errorf("took %s", d)
	}
}

// worked is how long the program has computed: on a busy machine time passes without.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}

func FuzzDetect(f *testing.F) {
	for _, body := range seeds(f) {
		f.Add("https://h.example/pipermail/knots/2004-April/", body)
		f.Add("https://h.example/list/a@b/", body)
	}
	f.Fuzz(func(t *testing.T, address, body string) {
		name, base, ok := Detect(address, answer(body))
		if !ok {
			return
		}
		k, known := ByName(name)
		if !known {
			t.Fatalf("%q is no kind", name)
		}
		if s, err := k.Start(base); err != nil || s.Base != base {
			t.Errorf("%s at %q starts at %+v: %v", name, base, s, err)
		}
	})
}

func FuzzMbox(f *testing.F) {
	for _, body := range seeds(f) {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		read := 0
		for m, err := range ReadMbox(strings.NewReader(body), "upload:x", 1<<20) {
			if err != nil {
				if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
					t.Error(err)
				}
				continue
			}
			wantSoundMail(t, m)
			read++
		}
		if strings.HasPrefix(body, "\x1f\x8b") {
			return
		}
		split := 0
		for range entries(bufio.NewReader(bytes.NewReader([]byte(body))), 1<<20) {
			split++
		}
		if read != split {
			t.Errorf("%d messages, %d entries", read, split)
		}
	})
}

func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a$\nAllow: /%61\nCrawl-delay: 3", "Laurel/1.0", "/a%2Fb?c")
	f.Add("User-agent: Laurel\nUser-agent: x\nDisallow:", "x", "/ツ")
	f.Fuzz(func(t *testing.T, file, agent, path string) {
		r := ParseRobots([]byte(file))
		if d := r.CrawlDelay(agent); d < 0 || d > maxDelay {
			t.Errorf("delay %s", d)
		}
		allowed := r.Allowed(agent, path)
		if again := r.Allowed(strings.ToUpper(agent), path); again != allowed {
			t.Errorf("%q is allowed %t, in capital letters %t", agent, allowed, again)
		}
		if path != "/robots.txt" && r.Allowed(agent, normalise(path)) != allowed && normalise(path) != "/robots.txt" {
			t.Errorf("%q is allowed %t, and %q is not the same", path, allowed, normalise(path))
		}
		if !allowed && !strings.Contains(strings.ToLower(file), "disallow") {
			t.Errorf("%q forbids %q", file, path)
		}
	})
}

func FuzzDates(f *testing.F) {
	for _, s := range []string{"Sun, 15 Aug 1999 02:37:17 -0400 (EDT)", "2015-10-14T18:48:44Z", "Fri Apr  2 02:39:10 MST 2004",
		"13-Jun-99 25:00", "0000-00-00", "1--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, shown string) {
		m := Mail{URL: "x"}
		m.setDate(shown)
		wantSoundMail(t, m)
		if y := m.SentAt.Year(); y < 1 || y > 9999 || !m.SentAt.IsZero() && m.SentAt.Location() != time.UTC {
			t.Errorf("%q is %s", shown, m.SentAt)
		}
	})
}

func FuzzTexts(f *testing.F) {
	f.Add(`<p>a<br>b &amp; <a href="x">c</a></p><script>`)
	f.Add("a < b <!-- c")
	f.Fuzz(func(t *testing.T, source string) {
		var m Mail
		m.URL, m.Approximate = "x", true
		m.setBody(plainText(source) + preformatted(source))
		m.Author, m.Address = person(source)
		m.References = messageIDs(source)
		wantSoundMail(t, m)
		wantText(t, letters(source), toUTF8([]byte(clean(source)), "gb2312"))
	})
}
