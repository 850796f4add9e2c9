package sites

import (
	"path/filepath"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

// What the addresses of a site lead to stands in testdata/SITE/links.txt, a line each:
// ADDRESS -> KIND KEY, or nothing behind the arrow.
func TestRecognise(t *testing.T) {
	files, err := filepath.Glob("testdata/*/links.txt")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		site := filepath.Base(filepath.Dir(file))
		for line := range strings.Lines(fakesite.Testdata(t, site+"/links.txt")) {
			address, want, ok := strings.Cut(strings.TrimSpace(line), " ->")
			if want != "" {
				want = site + want
			}
			if got := linkText(address); !ok || got != want {
				t.Errorf("%q is %q, want %q", address, got, want)
			}
		}
	}
}

func linkText(address string) string {
	if l, ok := Recognise(address, hosted()...); ok {
		return l.Site + " " + l.Kind + " " + l.Key
	}
	return ""
}

func TestNoLinks(t *testing.T) {
	for _, address := range []string{
		"https://codeforces.com.evil.example/contest/4",
		"https://evil.example/codeforces.com/contest/4",
		"https://a:b@codeforces.com/contest/4",
		"ftp://codeforces.com/contest/4",
		"codeforces.com/contest/4",
		"https://",
		"",
		"https://codeforces.com/contest/4" + strings.Repeat("/x", 2000),
	} {
		if got := linkText(address); got != "" {
			t.Errorf("%q is %q, want nothing", address, got)
		}
	}
}

// The address of an account leads back to it. Those of problems: see TestSitesReadTheStandIn.
func TestOwnAddressesAreRecognised(t *testing.T) {
	for _, s := range everySite() {
		i := s.Info()
		handle := "Ada_1"
		if !i.Handle.MatchString(handle) { // Timus knows people by numbers.
			handle = "42"
		}
		if got, ok := Recognise(i.Profile(handle), i); !ok || got != (Link{i.Name, LinkAccount, strings.ToLower(handle)}) {
			t.Errorf("%s is %+v, want the account", i.Profile(handle), got)
		}
	}
}

func FuzzRecognise(f *testing.F) {
	f.Add("https://codeforces.com/group/x/contest/4/problem/A")
	f.Add("https://www.hackerrank.com/contests/a/challenges/b")
	f.Add("https://onlinejudge.org/index.php?option=onlinejudge&page=show_problem&problem=%31")
	f.Fuzz(func(t *testing.T, text string) {
		l, ok := Recognise(text, hosted()...)
		if ok != (l != Link{}) {
			t.Fatalf("%q is %+v, %t", text, l, ok)
		}
		if ok && (strings.ContainsAny(l.Key, "\x00\n<>\"'\\?#%:") || len(l.Key) > 500) {
			t.Errorf("%q has the key %q", text, l.Key)
		}
	})
}
