package sites

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

func TestAtcoderProfile(t *testing.T) {
	rated := fakesite.Testdata(t, "atcoder/user_rated.html")
	const all = `{"Rating":{"Rating":718,"Best":758},"Rank":{"Rank":22640},"Counts":null,"Name":null,` +
		`"Place":{"Country":"India","Organisation":"Analysts' Club \u0026 Sons"},"Title":{"Title":"7 Kyu"}}`
	for _, tt := range []struct{ name, page, want string }{
		{"rated", rated, all},
		{"other line ends", strings.ReplaceAll(rated, "\n", "\r\n"), all},
		{"the title beside the highest rating alone", strings.Replace(rated, "<b>7 Kyu</b><br>", "", 1), all},
		{"an unknown row", strings.Replace(rated, "Birth Year", "Shoe Size", 1), all},
		{"the first", strings.Replace(rated, "22640th", "1st", 1), strings.Replace(all, "22640", "1", 1)},
		{"no rank given", strings.Replace(rated, "22640th", "-", 1), strings.Replace(all, "22640", "null", 1)},
		{"no row for a rank", strings.Replace(rated, ">Rank<", ">Place<", 1), strings.Replace(all, `{"Rank":22640}`, "null", 1)},
		{"unrated", fakesite.Testdata(t, "atcoder/user_unrated.html"),
			`{"Rating":{"Rating":null,"Best":null},"Rank":{"Rank":null},"Counts":null,"Name":null,` +
				`"Place":{"Country":"India","Organisation":null},"Title":{"Title":null}}`},
	} {
		handle := "ada_l"
		if tt.name == "unrated" {
			handle = "ada"
		}
		got, asked, err := profileOf(t, atcoder{}, Account{Handle: handle, Now: at(1_000)}, always(200, tt.page))
		if err != nil || got != tt.want {
			t.Errorf("%s: error %v\n got %s\nwant %s", tt.name, err, got, tt.want)
		}
		if want := []string{
			"https://kenkoooo.com/atcoder/atcoder-api/v3/user/submission_count?user=" + handle + "&from_second=0&to_second=1000",
			"https://atcoder.jp/users/" + handle + "?lang=en"}; !slices.Equal(asked, want) {
			t.Errorf("%s: asked %q, want %q", tt.name, asked, want)
		}
	}
}

// A page that has changed its shape must not end what is known of a person.
func TestAtcoderBadProfiles(t *testing.T) {
	rated := fakesite.Testdata(t, "atcoder/user_rated.html")
	for name, page := range map[string]string{
		"somebody else":           strings.ReplaceAll(rated, "Ada_L", "Bob_M"),
		"a link to the user":      `<html><body><a class="username" href="/users/ada_l">ada_l</a></body></html>`,
		"no table, and no reason": strings.ReplaceAll(rated, "dl-table", "grid"),
		"no rating row":           strings.Replace(rated, ">Rating<", ">Points<", 1),
		"no highest rating":       strings.Replace(rated, "Highest Rating", "Peak", 1),
		"a word for a rating":     strings.Replace(rated, ">718<", ">high<", 1),
		"a rank with a comma":     strings.Replace(rated, "22640th", "22,640th", 1),
		"too long a number":       strings.Replace(rated, "22640th", "22640226402264022640th", 1),
		"another language":        strings.NewReplacer(">Rank<", ">順位<", ">Rating<", ">レーティング<").Replace(rated),
		"too long a page":         strings.Repeat(" ", atcoderLongest) + rated,
		"broken off":              rated[:strings.Index(rated, "Highest Rating")],
		"broken off at the end":   strings.TrimSuffix(strings.TrimSpace(rated), "</html>"),
	} {
		if got, _, err := profileOf(t, atcoder{}, Account{Handle: "ada_l"}, always(200, page)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %s, error %v, want %v", name, got, err, ErrFormat)
		}
	}
}

func TestAtcoderProfileStatuses(t *testing.T) {
	rated := fakesite.Testdata(t, "atcoder/user_rated.html")
	for status, want := range map[int]error{404: ErrNoHandle, 403: ErrFormat, 302: ErrFormat, 400: ErrFormat} {
		if _, _, err := profileOf(t, atcoder{}, Account{Handle: "ada_l"}, always(status, rated)); !errors.Is(err, want) {
			t.Errorf("%d: error %v, want %v", status, err, want)
		}
	}
}

// The other pages of the site that were kept are HTML, too, and nobody's profile.
func TestAtcoderProfileRecordedOtherPages(t *testing.T) {
	for _, file := range []string{"atcoder/submissions_page_2025-04.html", "atcoder/submissions_abc107_2021.html",
		"blocked/cloudflare_just_a_moment_codechef.html"} {
		if got, _, err := profileOf(t, atcoder{}, Account{Handle: "yamate11"}, always(200, recorded(t, file))); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %s, error %v, want %v", file, got, err, ErrFormat)
		}
	}
}

func FuzzAtcoderProfile(f *testing.F) {
	f.Add(200, fakesite.Testdata(f, "atcoder/user_rated.html"))
	f.Add(200, fakesite.Testdata(f, "atcoder/user_unrated.html"))
	f.Add(404, "<html></html>")
	f.Fuzz(func(t *testing.T, status int, body string) {
		_, _, _ = profileOf(t, atcoder{}, Account{Handle: "ada_l"}, always(status, body))
	})
}

// What AtCoder Problems counts is the number of submissions; where it does not answer, the
// profile is as good without.
func TestAtcoderCounts(t *testing.T) {
	page := fakesite.Testdata(t, "atcoder/user_rated.html")
	for answer, want := range map[string]string{
		`{"count":1234,"user":"ada_l"}`: `"Counts":{"Solved":null,"Submitted":1234}`,
		`{"count":null}`:                `"Counts":null`,
		`not found`:                     `"Counts":null`,
	} {
		got, _, err := profileOf(t, atcoder{}, Account{Handle: "ada_l", Now: at(1_000)}, func(_ int, u *url.URL) Page {
			if strings.Contains(u.Path, "submission_count") {
				return Page{Status: 200, Body: []byte(answer)}
			}
			return Page{Status: 200, Body: []byte(page)}
		})
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: error %v, got %s, want %s", answer, err, got, want)
		}
	}
}

// at is a clock that stands.
func at(unix int64) func() time.Time { return func() time.Time { return time.Unix(unix, 0) } }
