package sites

import "testing"

func TestHandleIn(t *testing.T) {
	for _, tt := range []struct{ site, text, want string }{
		{"codeforces", "Tourist", "Tourist"},
		{"codeforces", "https://codeforces.com/profile/Tourist", "Tourist"},
		{"codeforces", " codeforces.com/profile/Tourist/ ", "Tourist"},
		{"codeforces", "https://atcoder.jp/users/Tourist", "https://atcoder.jp/users/Tourist"},
		{"atcoder", "https://atcoder.jp/users/Chokudai/history?lang=en", "Chokudai"},
		{"uva", "Ada Lovelace", "Ada Lovelace"},
		{"uva", "https://uhunt.onlinejudge.org/u/Ada%20L", "Ada L"},
		{"hackerrank", "https://www.hackerrank.com/profile/Ada_L?hr_r=1", "Ada_L"},
		{"hackerrank", "hackerrank.com/Ada_L", "Ada_L"},
		{"hackerrank", "a.b", "a.b"},
		{"hackerrank", "https://www.hackerrank.com/challenges/x", "https://www.hackerrank.com/challenges/x"},
		{"hackerrank", "", ""},
		{"hackerrank", "https://", "https://"},
	} {
		site, _ := ByName(tt.site)
		if got := HandleIn(site.Info(), tt.text); got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.site, tt.text, got, tt.want)
		}
	}
	for _, s := range All() {
		i := s.Info()
		if !i.Handle.MatchString("Ada_1") { // Timus knows people by numbers.
			if got := HandleIn(i, i.Profile("42")); got != "42" {
				t.Errorf("%s: %q is %q", i.Name, i.Profile("42"), got)
			}
			continue
		}
		if got := HandleIn(i, i.Profile("Ada_1")); i.Name != "fake" && got != "Ada_1" {
			t.Errorf("%s: %q is %q", i.Name, i.Profile("Ada_1"), got)
		}
	}
}
