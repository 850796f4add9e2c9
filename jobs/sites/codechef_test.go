package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A chefRow is a row to render with the markup of the recorded ones.
type chefRow struct{ time, href, code, score, word, language, id string }

func (r chefRow) String() string {
	link := ""
	if r.id != "" {
		link = `<a  class = 'centered' href='/viewsolution/` + r.id + `' target='_blank'>View</a>`
	}
	return fmt.Sprintf(`<tr >
  <td  title='%s'>
    <span class='tooltips'>
      <i class='fa fa-clock-o'></i>
      <span class='tooltiptext'>10 min ago</span>
    </span>
  </td>
  <td  title='%s'><a href='%s' title='' target='_blank'>%[2]s</a></td>
  <td  title='%[4]s'><span title='%s' style='display: flex;'><img src='https://cdn.codechef.com/misc/tick-icon.gif'  alt='status icon'><span style='margin-top: 5px;
  overflow: hidden;'>%[4]s</span><span style='margin-top: 5px;'></span></span></td>
  <td  title='%[6]s'>%[6]s</td>
  <td class="centered" style="width:60px;" title='View'>%s</td>
</tr>
`, r.time, r.code, r.href, r.score, r.word, html.EscapeString(r.language), link)
}

// chefPage is what recent/user answers.
func chefPage(pages int, rows ...chefRow) Page {
	var table strings.Builder
	table.WriteString("<table class='dataTable'><thead><tr><th>Time</th><th>Problem</th><th>Result</th><th>Lang</th><th>Solution</th></tr></thead><tbody>\n")
	for _, r := range rows {
		table.WriteString(r.String())
	}
	body, _ := json.Marshal(map[string]any{"max_page": pages, "content": table.String() + "</tbody></table>"})
	return Page{200, body}
}

// chefServer turns pages of n rows, and shows a user.
func chefServer(n int, rows func(asked int) []chefRow) server {
	return func(asked int, u *url.URL) Page {
		if u.Path != "/recent/user" {
			return Page{200, []byte(`<script>var all_rating = [];</script></html>`)}
		}
		all := rows(asked)
		pages, at := (len(all)+n-1)/n, 0
		at, _ = strconv.Atoi(u.Query().Get("page"))
		return chefPage(pages, all[min(at*n, len(all)):min((at+1)*n, len(all))]...)
	}
}

func chefRead(t testing.TB, a Account, s server) ([]Submission, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	subs, err := all(codechef{}.Submissions(t.Context(), get, a))
	return subs, get.asked, err
}

func TestCodechefRecorded(t *testing.T) {
	body, err := json.Marshal(map[string]any{"max_page": 1, "content": recorded(t, "codechef/recent_user_rows_live_2026-09.html")})
	if err != nil {
		t.Fatal(err)
	}
	subs, asked, err := chefRead(t, Account{Handle: "somebody"}, always(200, string(body)))
	if err != nil {
		t.Fatal(err)
	}
	hundred := 100.0
	starters := ContestRef{Key: "START256", URL: "https://www.codechef.com/START256"} // Division D of it.
	want := []Submission{
		{ID: "1358040109", Formerly: "2026-09-16T15:12Z FIXEDPTS PYTH 3 #1", At: time.Date(2026, 9, 16, 15, 12, 0, 0, time.UTC), ToMinute: true,
			Problem: Problem{"FIXEDPTS", "FIXEDPTS", "https://www.codechef.com/START256D/problems/FIXEDPTS"}, Status: AC, Verdict: "accepted",
			Language: "PYTH 3", Points: &hundred, URL: "https://www.codechef.com/viewsolution/1358040109", Contest: starters},
		{ID: "1358003340", Formerly: "2026-09-16T14:53Z BUSSEAT PYTH 3 #1", At: time.Date(2026, 9, 16, 14, 53, 0, 0, time.UTC), ToMinute: true,
			Problem: Problem{"BUSSEAT", "BUSSEAT", "https://www.codechef.com/START256D/problems/BUSSEAT"}, Status: WA, Verdict: "wrong answer",
			Language: "PYTH 3", URL: "https://www.codechef.com/viewsolution/1358003340", Contest: starters},
	}
	for i := range want {
		if i >= len(subs) || fmt.Sprintf("%+v", plain(subs[i])) != fmt.Sprintf("%+v", plain(want[i])) {
			t.Fatalf("row %d of\n%+v\nwant\n%+v", i, subs, want)
		}
	}
	if asked[0] != "https://www.codechef.com/recent/user?user_handle=somebody&page=0" {
		t.Errorf("asked %q", asked)
	}
}

// plain is a row that prints what its points are.
func plain(s Submission) any {
	points := "none"
	if s.Points != nil {
		points = fmt.Sprint(*s.Points)
	}
	s.Points = nil
	return []any{s, points}
}

func TestCodechefRecordedPages(t *testing.T) {
	if _, _, err := chefRead(t, Account{Handle: "bp28"}, always(200, recorded(t,
		"blocked/cloudflare_just_a_moment_codechef.html"))); !errors.Is(err, ErrFormat) {
		t.Errorf("the page that asks for a human: %v", err) // The client does not let it through; see package polite.
	}
	page := recorded(t, "codechef/profile_embedded_vars_excerpt_2026.html")
	get := &fake{t: t, serve: always(200, page)}
	ratings, err := codechef{}.Ratings(t.Context(), get, Account{Handle: "bp28"})
	want := []Rating{
		{"Starters 220", "Starters 220", "", 7000, 1117, time.Date(2026, 1, 7, 16, 30, 0, 0, time.UTC)},
		{"Starters 224", "Starters 224", "", 5066, 1218, time.Date(2026, 2, 4, 16, 30, 6, 0, time.UTC)},
	}
	if err != nil || !slices.Equal(ratings, want) {
		t.Errorf("ratings %+v (%v), want %+v", ratings, err, want)
	}
	got, _, err := profileOf(t, codechef{}, Account{Handle: "bp28"}, always(200, "<html><body>"+page+"</body></html>"))
	if want := `{"Rating":{"Rating":1218,"Best":null},"Rank":{"Rank":82654},"Counts":{"Solved":110,"Submitted":null},"Name":null,"Place":null,"Title":{"Title":"1★"}}`; err != nil || got != want {
		t.Errorf("profile %s (%v), want %s", got, err, want)
	}
}

var goldenWords = map[string]string{"AC": "accepted", "PS": "accepted", "WA": "wrong answer", "TLE": "time limit exceeded",
	"RE": "runtime error", "CE": "compilation error"}

// newestFirst returns golden rows as a site lists them.
func newestFirst(rows []goldenRow) []goldenRow {
	rows = slices.Clone(rows)
	slices.Reverse(rows)
	slices.SortStableFunc(rows, func(a, b goldenRow) int { return strings.Compare(b.Time, a.Time) })
	return rows
}

// points are those of a golden row as the site writes them, "" for none.
func (r goldenRow) points() string {
	return strings.TrimPrefix(strings.Trim(string(r.Points), `"`), "0")
}

// The golden rows in the markup of the recorded ones: with their numbers, without
// any, and with some. Every field comes back, and no row is lost or doubled.
func TestCodechefGolden(t *testing.T) {
	golden := newestFirst(golden(t, "CodeChef"))
	for name, numbered := range map[string]func(i int) bool{
		"all": func(int) bool { return true }, "none": func(int) bool { return false }, "some": func(i int) bool { return i%3 != 1 },
	} {
		t.Run(name, func(t *testing.T) {
			var rows []chefRow
			for i, g := range golden {
				r := chefRow{time: g.at(t).In(time.FixedZone("IST", 19800)).Format("03:04 PM 02/01/06"),
					href: strings.TrimPrefix(g.Link, "https://www.codechef.com"), code: g.Name, word: goldenWords[g.Status], language: g.Lang}
				if points := g.points(); points != "" {
					r.score = "(" + points + ")"
				}
				if numbered(i) {
					r.id = strings.TrimPrefix(g.View, "https://www.codechef.com/viewsolution/")
				}
				rows = append(rows, r)
			}
			for _, size := range []int{1, 7, 12, 483, 500} {
				subs, _, err := chefRead(t, Account{Handle: "raj454raj"}, chefServer(size, func(int) []chefRow { return rows }))
				if err != nil || len(subs) != 483 {
					t.Fatalf("pages of %d: %d rows (%v), want 483", size, len(subs), err)
				}
				ids(t, subs)
				for i, s := range subs {
					g := golden[i]
					view := g.View
					if !numbered(i) {
						view = ""
					}
					if !s.At.Equal(g.at(t).Truncate(time.Minute)) || !s.ToMinute || s.Problem.URL != g.Link || s.Problem.Key != g.Name ||
						s.Status != g.Status || s.Language != g.Lang || s.URL != view {
						t.Fatalf("pages of %d, row %d: %+v, want %+v", size, i, s, g)
					}
					if points := g.points(); points == "" && s.Points != nil || points != "" && (s.Points == nil || fmt.Sprint(*s.Points) != points) {
						t.Fatalf("row %d: points %v, want %q", i, s.Points, points)
					}
				}
				if got := statuses(subs); got[AC] != 179 || got[WA] != 165 || got[TLE] != 65 || got[RE] != 36 || got[CE] != 19 || got[PS] != 19 {
					t.Errorf("statuses %v", got)
				}
			}
		})
	}
}

func TestCodechefGoldenRatings(t *testing.T) {
	var all map[string][]struct {
		Data map[string]struct{ URL, Rating, Name, Rank string }
	}
	if err := json.Unmarshal([]byte(`{"CodeChef":`+goldenOf(t, "CodeChef")+`}`), &all); err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	want := map[string]string{}
	for _, kind := range all["CodeChef"] {
		for at, r := range kind.Data {
			code := strings.TrimPrefix(r.URL, "https://www.codechef.com/")
			rows = append(rows, map[string]any{"code": code, "name": r.Name, "end_date": at, "rating": r.Rating, "rank": r.Rank, "color": "#3366CC"})
			utc, _ := time.ParseInLocation(time.DateTime, at, time.FixedZone("IST", 19800))
			want[code] = fmt.Sprint(r.Name, " ", r.URL, " ", r.Rank, " ", r.Rating, " ", utc.Unix())
		}
	}
	text, _ := json.Marshal(rows)
	for _, page := range []string{
		`<script>var all_rating = ` + string(text) + `; var userDailySubmissionsStats = [];</script>`,
		`<script>jQuery.extend(Drupal.settings, {"date_versus_rating":{"all":` + string(text) + `},"x":1});</script>`,
	} {
		ratings, err := codechef{}.Ratings(t.Context(), &fake{t: t, serve: always(200, page)}, Account{Handle: "raj454raj"})
		if err != nil || len(ratings) != 18 {
			t.Fatalf("%d ratings (%v), want 18", len(ratings), err)
		}
		for i, r := range ratings {
			if got := fmt.Sprint(r.Name, " ", r.URL, " ", r.Rank, " ", r.Rating, " ", r.At.Unix()); got != want[r.Contest] {
				t.Errorf("%s: %s, want %s", r.Contest, got, want[r.Contest])
			}
			if i > 0 && r.At.Before(ratings[i-1].At) {
				t.Error("not the oldest first")
			}
		}
	}
}

func goldenOf(t *testing.T, site string) string {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(recorded(t, "golden_stopstalk/rating_expected.json")), &all); err != nil {
		t.Fatal(err)
	}
	return string(all[site])
}

func TestCodechefResults(t *testing.T) {
	for _, tt := range []struct{ word, score, status, points string }{
		{"accepted", "(100)", AC, "100"}, {"accepted", "", AC, "none"}, {"accepted", "(35)", PS, "35"}, {"accepted", "(0.857)", PS, "0.857"},
		{"partially accepted", "(20)", PS, "20"}, {"wrong answer", "", WA, "none"}, {"wrong answer", "(0)", WA, "0"},
		{"time limit exceeded", "", TLE, "none"}, {"runtime error(SIGSEGV)", "", RE, "none"}, {"Runtime Error (NZEC)", "", RE, "none"},
		{"compilation error", "", CE, "none"}, {"memory limit exceeded", "", MLE, "none"}, {"running..", "", Pending, "none"},
		{"waiting", "", Pending, "none"},
		{"internal error", "", OTH, "none"}, {"something new", "", OTH, "none"}, {"", "(40)", PS, "40"},
	} {
		page := chefPage(1, chefRow{time: "08:42 PM 16/09/26", href: "/problems/X", code: "X", word: tt.word, score: tt.score, language: "C++17",
			id: "7"})
		subs, _, err := chefRead(t, Account{Handle: "ada"}, always(200, string(page.Body)))
		if err != nil || len(subs) != 1 || subs[0].Status != tt.status || fmt.Sprint(plain(subs[0]).([]any)[1]) != tt.points {
			t.Errorf("%q %q: %+v (%v), want %s and %s", tt.word, tt.score, subs, err, tt.status, tt.points)
		} else if tt.word != "" && subs[0].Verdict != tt.word {
			t.Errorf("the word is %q, want %q", subs[0].Verdict, tt.word)
		}
	}
}

func TestCodechefAbsence(t *testing.T) {
	empty := string(chefPage(0).Body)
	for _, tt := range []struct {
		name, led string
		user      Page
		err       error
	}{
		{"no submissions yet", "https://www.codechef.com/users/ada", Page{200, []byte(`<script>var all_rating = [];</script>`)}, nil},
		{"to the front page", "https://www.codechef.com/", Page{200, []byte(`<html>Practice</html>`)}, ErrNoHandle},
		{"to the front page with all its scripts", "https://www.codechef.com", Page{200, []byte(`<html>rating-number</html>`)}, ErrNoHandle},
		{"no such page", "https://www.codechef.com/users/ada", Page{404, nil}, ErrNoHandle},
		{"to the door", "https://www.codechef.com/login?destination=", Page{200, []byte(`<html>Log in</html>`)}, ErrFormat},
		{"another page", "https://www.codechef.com/users/ada", Page{200, []byte(`<html>Maintenance</html>`)}, ErrFormat},
	} {
		get := &follower{fake{t: t, serve: func(_ int, u *url.URL) Page {
			if u.Path == "/recent/user" {
				return Page{200, []byte(empty)}
			}
			return tt.user
		}}, tt.led}
		if _, err := all(codechef{}.Submissions(t.Context(), get, Account{Handle: "ada"})); !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.err)
		}
	}
}

// A follower is a fake that was led on.
type follower struct {
	fake
	led string
}

func (f *follower) PageAddress() string { return f.led }

func TestCodechefBadAnswers(t *testing.T) {
	row := chefRow{time: "08:42 PM 16/09/26", href: "/problems/X", code: "X", word: "accepted", language: "C", id: "7"}
	noProblem := row
	noProblem.href, noProblem.code = "", ""
	for _, body := range []string{
		`{}`, `[]`, `{"max_page":1}`, `{"content":"<table></table>"}`, `{"max_page":2,"content":""}`, `{"max_page":0,"content":"<p>Log in</p>"}`,
		`{"max_page":"many","content":"<table></table>"}`,
		string(chefPage(1, noProblem, noProblem, noProblem).Body), string(chefPage(1).Body),
	} {
		if subs, _, err := chefRead(t, Account{Handle: "ada"}, always(200, body)); !errors.Is(err, ErrFormat) || len(subs) > 0 {
			t.Errorf("%s: %d rows, error %v, want %v", body, len(subs), err, ErrFormat)
		}
	}
}

func FuzzCodechef(f *testing.F) {
	f.Add(200, string(chefPage(1, chefRow{"08:42 PM 16/09/26", "/problems/X", "X", "(100)", "accepted", "C", "7"},
		chefRow{"08:42 PM 16/09/26", "/problems/X", "X", "", "wrong answer", "C", ""}).Body))
	f.Add(200, string(chefPage(2, chefRow{"2 hours ago", "/problems/X", "X", "(100)", "accepted", "C", ""},
		chefRow{"09:15 PM yesterday", "/problems/X", "X", "", "wrong answer", "C", "8"}).Body))
	f.Add(200, string(chefPage(0).Body))
	f.Add(200, `<div class="rating-number">1218</div><script>var all_rating = [{"name":"A","end_date":"2026-02-04 22:00:06","rank":1,"rating":"2"}];</script></html>`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1789000000, 0)} {
			subs, _, _ := chefRead(t, Account{Handle: "ada", CoveredAt: since, Now: func() time.Time { return time.Unix(1789000000, 0) }},
				always(status, body))
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		get := &fake{t: t, serve: always(status, body)}
		ratings, _ := codechef{}.Ratings(t.Context(), get, Account{Handle: "ada"})
		for _, r := range ratings {
			if r.At.Before(earliest) || r.At.After(latest) {
				t.Errorf("a rating at %s", r.At)
			}
		}
		_, _, _ = profileOf(t, codechef{}, Account{Handle: "ada"}, always(status, body))
	})
}
