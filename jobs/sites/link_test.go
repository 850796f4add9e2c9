package sites

import (
	"strings"
	"testing"
)

func TestRecognise(t *testing.T) {
	for text, want := range map[string]string{
		"https://codeforces.com/problemset/problem/4/A":                                                                 "codeforces problem 4A",
		"http://www.codeforces.com/problemset/problem/4/a/":                                                             "codeforces problem 4A",
		"https://m1.codeforces.com/contest/1854/problem/D?locale=ru#x":                                                  "codeforces problem 1854D",
		"https://mirror.codeforces.com/contest/1854/problem/A1.":                                                        "codeforces problem 1854A1",
		"https://codeforces.com/gym/100001/problem/B":                                                                   "codeforces problem 100001B",
		"https://codeforces.com/group/MWSDmqGsZm/contest/219158/problem/A":                                              "codeforces problem 219158A",
		"https://codeforces.com/problemset/gymProblem/100001/B":                                                         "codeforces problem 100001B",
		"https://codeforces.com/problemsets/acmsguru/problem/99999/100":                                                 "codeforces problem acmsguru-100",
		"(https://codeforces.com/contest/4/submission/123)":                                                             "codeforces submission 123",
		"https://codeforces.com/gym/100001/submission/9":                                                                "codeforces submission 9",
		"https://codeforces.com/problemset/submission/4/123":                                                            "codeforces submission 123",
		"https://codeforces.com/problemsets/acmsguru/submission/99999/77":                                               "codeforces submission 77",
		"https://codeforces.com/contest/4":                                                                              "codeforces contest 4",
		"https://codeforces.com/contest/1854/standings/page/2":                                                          "codeforces contest 1854",
		"https://codeforces.com/contests/1854":                                                                          "codeforces contest 1854",
		"https://codeforces.com/gym/100001":                                                                             "codeforces contest 100001",
		"https://codeforces.com/profile/Tourist":                                                                        "codeforces account tourist",
		"https://codeforces.com/submissions/tourist/page/3":                                                             "codeforces account tourist",
		"https://codeforces.com/blog/entry/4":                                                                           "",
		"https://codeforces.com/":                                                                                       "",
		"https://codeforces.com/contest/x":                                                                              "",
		"https://codeforces.com/problemset/problem/4/../..":                                                             "",
		"https://atcoder.jp/contests/abc107/tasks/arc101_b":                                                             "atcoder problem arc101_b",
		"https://beta.atcoder.jp/contests/abc107/tasks/arc101_b/editorial":                                              "atcoder problem arc101_b",
		"https://atcoder.jp/contests/abc107/submissions/3001234?lang=en":                                                "atcoder submission 3001234",
		"https://atcoder.jp/contests/abc107/submissions/me":                                                             "atcoder contest abc107",
		"https://atcoder.jp/contests/ABC107":                                                                            "atcoder contest abc107",
		"https://atcoder.jp/users/Chokudai/history":                                                                     "atcoder account chokudai",
		"http://abc107.contest.atcoder.jp/tasks/arc101_b":                                                               "atcoder problem arc101_b",
		"http://abc107.contest.atcoder.jp/":                                                                             "atcoder contest abc107",
		"https://onlinejudge.org/index.php?option=onlinejudge&page=show_problem&problem=36":                             "uva problem 36",
		"https://uva.onlinejudge.org/index.php?option=com_onlinejudge&Itemid=8&category=3&page=show_problem&problem=36": "uva problem 36",
		"https://onlinejudge.org/external/1/100.pdf":                                                                    "uva number 100",
		"http://uva.onlinejudge.org/external/101/p10189.html":                                                           "uva number 10189",
		"https://uhunt.onlinejudge.org/u/ada":                                                                           "uva account ada",
		"https://onlinejudge.org/index.php?option=onlinejudge&page=submit_problem&problemid=36":                         "",
		"https://www.codechef.com/problems/TEST":                                                                        "codechef problem TEST",
		"https://www.codechef.com/START100A/problems/TEST?tab=statement":                                                "codechef problem TEST",
		"https://www.codechef.com/viewsolution/123":                                                                     "codechef submission 123",
		"https://www.codechef.com/START100A":                                                                            "codechef contest START100A",
		"https://www.codechef.com/users/ada":                                                                            "codechef account ada",
		"https://www.codechef.com/certification":                                                                        "",
		"https://www.spoj.com/problems/PRIME1/":                                                                         "spoj problem PRIME1",
		"http://www.spoj.pl/SHORTEN/problems/PRIME1":                                                                    "spoj problem PRIME1",
		"https://www.spoj.com/users/ada/":                                                                               "spoj account ada",
		"https://www.hackerrank.com/challenges/solve-me-first/problem":                                                  "hackerrank problem solve-me-first",
		"https://www.hackerrank.com/contests/w1/challenges/x-y":                                                         "hackerrank problem w1/x-y",
		"https://www.hackerrank.com/contests/master/challenges/x-y/problem":                                             "hackerrank problem x-y",
		"https://www.hackerrank.com/contests/w1":                                                                        "hackerrank contest w1",
		"https://www.hackerrank.com/profile/ada":                                                                        "hackerrank account ada",
		"https://www.hackerearth.com/problem/algorithm/a-b-1/":                                                          "hackerearth problem a-b-1",
		"https://www.hackerearth.com/practice/data-structures/x/practice-problems/algorithm/a-b-1/":                     "hackerearth problem a-b-1",
		"https://www.hackerearth.com/submission/5/":                                                                     "hackerearth submission 5",
		"https://www.hackerearth.com/challenges/competitive/easy-20/":                                                   "hackerearth contest easy-20",
		"https://www.hackerearth.com/@ada":                                                                              "hackerearth account ada",
		"https://leetcode.com/problems/two-sum/description/":                                                            "leetcode problem two-sum",
		"https://leetcode.cn/contest/weekly-contest-300/problems/two-sum/":                                              "leetcode problem two-sum",
		"https://leetcode.com/problems/two-sum/submissions/123/":                                                        "leetcode submission 123",
		"https://leetcode.com/submissions/detail/123/":                                                                  "leetcode submission 123",
		"https://leetcode.com/contest/weekly-contest-300/":                                                              "leetcode contest weekly-contest-300",
		"https://leetcode.com/u/ada/":                                                                                   "leetcode account ada",
		"https://acm.timus.ru/problem.aspx?space=1&num=1000":                                                            "timus problem 1000",
		"https://acm.timus.ru/author.aspx?id=8":                                                                         "timus account 8",
		"https://acm.timus.ru/getsubmit.aspx/12.cpp":                                                                    "timus submission 12",
		"https://acm.timus.ru/problem.aspx?space=7&num=1":                                                               "",
		"https://open.kattis.com/contests/x/problems/hello":                                                             "kattis problem hello",
		"https://open.kattis.com/problems/hello":                                                                        "kattis problem hello",
		"https://codeforces.com.evil.example/contest/4":                                                                 "",
		"https://evil.example/codeforces.com/contest/4":                                                                 "",
		"https://a:b@codeforces.com/contest/4":                                                                          "",
		"ftp://codeforces.com/contest/4":                                                                                "",
		"codeforces.com/contest/4":                                                                                      "",
		"https://":                                                                                                      "",
		"":                                                                                                              "",
		"https://codeforces.com/contest/4" + strings.Repeat("/x", 2000):                                                 "",
	} {
		got := ""
		if l, ok := Recognise(text); ok {
			got = l.Site + " " + l.Kind + " " + l.Key
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Every address that a reader gives to what it reads leads back to it.
func TestOwnAddressesAreRecognised(t *testing.T) {
	for _, p := range []struct {
		site string
		of   Problem
	}{
		{"codeforces", cfRow{ID: 1, Problem: cfProblem{ContestID: 1692, Index: "G"}}.problem()},
		{"codeforces", cfRow{ID: 1, Problem: cfProblem{ContestID: 100001, Index: "B"}}.problem()},
		{"codeforces", cfRow{ID: 1, Problem: cfProblem{ProblemsetName: "acmsguru", Index: "100"}}.problem()},
		{"atcoder", atcoderProblem("abc107", "arc101_b")},
		{"uva", uvaProblem(36)},
		{"codechef", codechefProblem("/START256D/problems/FIXEDPTS", "FIXEDPTS")},
	} {
		if got, ok := Recognise(p.of.URL); !ok || got != (Link{p.site, LinkProblem, p.of.Key}) {
			t.Errorf("%s is %+v, want the problem %s", p.of.URL, got, p.of.Key)
		}
	}
	for _, s := range All() {
		i := s.Info()
		handle := "Ada_1"
		if !i.Handle.MatchString(handle) { // Timus knows people by numbers.
			handle = "42"
		}
		if got, ok := Recognise(i.Profile(handle)); i.Name != "fake" && (!ok || got != (Link{i.Name, LinkAccount, strings.ToLower(handle)})) {
			t.Errorf("%s is %+v, want the account", i.Profile(handle), got)
		}
	}
}

func FuzzRecognise(f *testing.F) {
	f.Add("https://codeforces.com/group/x/contest/4/problem/A")
	f.Add("https://www.hackerrank.com/contests/a/challenges/b")
	f.Add("https://onlinejudge.org/index.php?option=onlinejudge&page=show_problem&problem=%31")
	f.Fuzz(func(t *testing.T, text string) {
		l, ok := Recognise(text)
		if ok != (l != Link{}) {
			t.Fatalf("%q is %+v, %t", text, l, ok)
		}
		if ok && (strings.ContainsAny(l.Key, "\x00\n<>\"'\\?#%:") || len(l.Key) > 500) {
			t.Errorf("%q has the key %q", text, l.Key)
		}
	})
}
