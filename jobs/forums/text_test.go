package forums

import (
	"slices"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	for source, want := range map[string]string{
		"<p>One</p><p>two<br>three &amp; four</p>":                        "One\n\ntwo\nthree & four",
		"a < b, c > d, 1 <2":                                              "a < b, c > d, 1 <2",
		"<script>x('</p>')</script>y<style>z</style><SCRIPT>never closed": "y",
		`<a title="a > b" href='x'>c</a>`:                                 "c",
		"<!-- a <b> -->c<!-- d":                                           "c",
		"&lt;script&gt;":                                                  "<script>",
		"<ul>\n <li>a</li>\n <li>b</li>\n</ul>":                           "a\n b",
		"a\x00\x1b[1m\r\nb":                                               "a[1m b",
		`<img alt="x>y`:                                                   `y`,
	} {
		if got := plainText(source); got != want {
			t.Errorf("%q is %q, want %q", source, got, want)
		}
	}
	if got := preformatted("&gt;<i> a  b\n</I>&gt;\t<A HREF=\"x\">c</A>\n"); got != "> a  b\n>\tc\n" {
		t.Errorf("%q", got)
	}
}

func TestLinks(t *testing.T) {
	got := linksIn("See http://a.example/x, (https://b.example/y_(z)), <http://c.example/>; http://a.example/x again, " +
		"HTTP://D.example/p?q=1&r=2#s! ftp://e.example http:// https://f.example/a*b* “http://g.example/”")
	want := []string{"http://a.example/x", "https://b.example/y_(z)", "http://c.example/", "HTTP://D.example/p?q=1&r=2#s",
		"https://f.example/a*b", "http://g.example/”"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(linksIn(strings.Repeat("http://a.example/ ", 10000))); n != 1 {
		t.Errorf("%d links", n)
	}
}

func TestCharsets(t *testing.T) {
	for _, tt := range []struct{ raw, charset, want string }{
		{"caf\xe9 \x93x\x94", "", "café “x”"},
		{"caf\xe9", "us-ascii", "café"},
		{"caf\xe9", "utf-8", "café"}, // It lies.
		{"caf\xc3\xa9", "us-ascii", "café"},
		{"caf\xc3\xa9", "utf-8", "café"},
		{"caf\xe9 \x96", "ISO-8859-1", "café –"},
		{"\xd0\xd2\xc9", "koi8-r", "при"},
		{"\xc4\xe3", "gb2312", "你"},
		{"x\xe9", "x-unknown", "xé"},
		{"x", "iso-2022-kr", "x"},
		{"x", `"utf-8"`, "x"},
	} {
		if got := toUTF8([]byte(tt.raw), tt.charset); got != tt.want {
			t.Errorf("%q in %q is %q, want %q", tt.raw, tt.charset, got, tt.want)
		}
	}
}

func TestRobotsMeta(t *testing.T) {
	for tag, want := range map[string][2]bool{
		`<META NAME="robots" CONTENT="noindex,follow">`:  {true, false},
		`<META NAME="robots" CONTENT="index,nofollow">`:  {false, true},
		`<meta content="none" name="robots"/>`:           {true, true},
		`<meta name="ROBOTS" content="INDEX, FOLLOW" />`: {},
		`<meta name="viewport" content="noindex">`:       {},
		``: {},
	} {
		var f Found
		if f.heedRobots(tag); f.NoIndex != want[0] || f.NoFollow != want[1] {
			t.Errorf("%s: noindex %t, nofollow %t", tag, f.NoIndex, f.NoFollow)
		}
	}
}
