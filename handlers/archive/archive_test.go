package archive_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	handlers "laurel/handlers/archive"
	"laurel/handlers/handlerstest"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	views "laurel/views/archive"
)

// seen stores what a check on a day of November showed.
func seen(t *testing.T, s *handlerstest.Site, day int, shard string, rows ...shards.Row) {
	t.Helper()
	at := time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
	r := archive.Response{Source: "codeforces", Address: "/rating", Viewer: "ada", At: at, Shards: map[string][]shards.Row{shard: rows}}
	if rows == nil {
		r.Shards, r.Outcome, r.Message = nil, "server_error", "the judge is being mended"
	}
	if _, err := archive.Store(t.Context(), s.DB.DB, r, at); err != nil {
		t.Fatal(err)
	}
}

func rating(handle string, rating any) shards.Row {
	return shards.Row{"site": "codeforces", "handle": handle, "rating": rating, "best": 2000}
}

// seenSite is a site with a shard that was seen on some days, not always well.
func seenSite(t *testing.T) (*handlerstest.Site, *handlerstest.Browser) {
	t.Helper()
	s := handlerstest.New(t, "http://laurel.test")
	s.Time = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	seen(t, s, 1, "account_rating", rating("a&b", 1500), rating("bob", nil))
	seen(t, s, 2, "account_rating", rating("a&b", 1500), rating("bob", nil))
	seen(t, s, 3, "")
	seen(t, s, 4, "account_rating", rating("a&b", 1600), rating("bob", nil))
	return s, s.Browser(t)
}

func TestArchivePages(t *testing.T) {
	t.Parallel()
	_, b := seenSite(t)
	b.Get("/archive").Is(t, http.StatusOK, "account_rating", "4 Nov", `href="/ladders"`, `href="/looks"`, `href="/api/v1/archive?limit=500">JSON</a>`)
	b.Get("/api/v1/archive?limit=500").Is(t, http.StatusOK, `"next":""`)
	for _, name := range []string{"nothing", "%00", "%FF"} {
		b.Get("/archive/"+name).Is(t, http.StatusNotFound)
		b.Get("/archive/"+name+"/history").Is(t, http.StatusNotFound)
	}

	const base = "/archive/account_rating"
	b.Get(base).Is(t, http.StatusOK, "1600", "latest", base+`/history?handle=a%26b&amp;site=codeforces`, "/api/v1/archive/account_rating?at=")
	b.Get(base+"?at="+handlerstest.November(2, 14)+"&handle=a%26b").Is(t, http.StatusOK, "1500", "last known", "changed to rating 1600 within", base+"?handle=a%26b&amp;at=2026-11-04T12:00:00Z")
	b.Get(base+"?at="+handlerstest.November(1, 14)).Is(t, http.StatusOK, "likely", "bob")
	b.Get(base+"?at="+handlerstest.November(1, 12)).Is(t, http.StatusOK, "known")
	b.Get(base+"?at=2026-10-01").Is(t, http.StatusOK, "No rows at this time")
	b.Get(base+"?handle=cy").Is(t, http.StatusOK, "No row with this key")
	b.Get("/archive/account_rank").Is(t, http.StatusOK, "No rows yet")
	b.Get(base+"?at=x").Is(t, http.StatusUnprocessableEntity, "Write the instant as", "Correct the filter")

	b.Get(base+"/history?site=codeforces&handle=a%26b").Is(t, http.StatusOK, "site codeforces, handle a&amp;b", "4 checks, 1 failed", "1500, 2000", "still open")
	b.Get(base+"/history?handle=bob").Is(t, http.StatusUnprocessableEntity, "add site")
	b.Get(base+"/history").Is(t, http.StatusUnprocessableEntity, "add site and handle")
	b.Get(base+"/history?site=codeforces&handle=cy").Is(t, http.StatusOK, "No values yet")
}

// A row whose key is an empty text has a timeline, too.
func TestTimelineOfAnEmptyKey(t *testing.T) {
	t.Parallel()
	s, b := seenSite(t)
	seen(t, s, 5, "account_rating", rating("", 1700))
	const timeline = "/archive/account_rating/history?handle=&site=codeforces"
	b.Get("/archive/account_rating").Is(t, http.StatusOK, strings.ReplaceAll(timeline, "&", "&amp;"))
	b.Get(timeline).Is(t, http.StatusOK, "1700, 2000")
}

// Keys are filtered by their types, and long lists are shown in parts.
func TestDeclaredShardPages(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Time = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	sh := shards.Declaration{Name: "scores", Key: []shards.Field{{Name: "player", Type: shards.Integer}}, Data: []shards.Field{{Name: "data", Type: shards.JSON}}}
	if _, err := archive.Declare(t.Context(), s.DB.DB, sh, s.Time); err != nil {
		t.Fatal(err)
	}
	var rows []shards.Row
	for i := range 150 {
		rows = append(rows, shards.Row{"player": 1000 + i, "data": map[string]any{"n": i}})
	}
	seen(t, s, 1, "scores", rows...)
	b := s.Browser(t)
	b.Get("/archive").Is(t, http.StatusOK, "declared here")
	b.Get("/archive/scores").Is(t, http.StatusOK, "1099", `rel="next"`)
	b.Get("/archive/scores?cursor=1").Is(t, http.StatusUnprocessableEntity, "cursor was not made by this list")
	b.Get("/archive/scores?player=1100").Is(t, http.StatusOK, "{&#34;n&#34;:100}")
	b.Get("/archive/scores?player=x").Is(t, http.StatusUnprocessableEntity, "is not of type integer")
	b.Get("/archive/scores/history?player=1100").Is(t, http.StatusOK, "player 1100")
	b.Get("/archive/scores/history?player=x").Is(t, http.StatusUnprocessableEntity)
}

// A key without a row at an instant says what was before, how that ended, and
// what comes later, with the ways there.
func TestShardWithoutARow(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Time = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	sh := shards.Declaration{Name: "ranks", Key: []shards.Field{{Name: "board", Type: shards.Text}, {Name: "player", Type: shards.Text}},
		Data: []shards.Field{{Name: "rank", Type: shards.Integer}}, Unique: [][]string{{"board", "rank"}}, Scope: []string{"board"}}
	if _, err := archive.Declare(t.Context(), s.DB.DB, sh, s.Time); err != nil {
		t.Fatal(err)
	}
	for day, l := range []struct {
		players []string // From the first rank on; nil where nobody checked.
		partly  bool     // There may be others.
		gone    bool
	}{1: {players: []string{"ada", "bob"}}, 2: {players: []string{"ada", "bob"}}, 3: {players: []string{"cy", "bob"}, partly: true}, 5: {players: []string{"cy"}}, 7: {players: []string{"ada"}}, 9: {gone: true}} {
		at := time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
		r := archive.Response{Source: "game", Address: "/b", At: at, Gone: l.gone, Complete: map[string][]shards.Row{"ranks": {{"board": "b"}}}, Shards: map[string][]shards.Row{}}
		for i, name := range l.players {
			r.Shards["ranks"] = append(r.Shards["ranks"], shards.Row{"board": "b", "player": name, "rank": i + 1})
		}
		if l.players == nil && !l.gone {
			continue
		}
		if l.partly {
			r.Complete = nil
		}
		if _, err := archive.Store(t.Context(), s.DB.DB, r, at); err != nil {
			t.Fatal(err)
		}
	}
	b := s.Browser(t)
	b.Get("/archive/ranks?board=b&player=%00").Is(t, http.StatusUnprocessableEntity, "Player contains the character U+0000")
	step := func(day int) string { return fmt.Sprintf("at=2026-11-%02dT12:00:00Z", day) }
	for _, tt := range []struct {
		player    string
		day       int
		says      []string
		prev, was string // Where "◀ change" and "‹ check" lead.
		check, to string // Where "check ›" and "change ▶" lead.
	}{
		{"bob", 2, []string{"likely"}, step(1), step(2), step(3), step(5)},
		{"ada", 4, []string{"replaced", "someone else took this place on 3 November", "seen again on 7 November", "The last one before it", `<td data-of="rank">1</td>`}, step(3), step(3), step(7), step(7)},
		{"bob", 6, []string{"removed", "no longer shown on 5 November", `<td data-of="rank">2</td>`}, step(5), step(5), "", ""},
		{"ada", 10, []string{"removed", "the source was gone on 9 November"}, step(9), step(9), "", ""},
		{"cy", 1, []string{"unknown", "first seen on 3 November", "No row with this key at this time yet", `<td data-of="rank">-</td>`}, "", "", step(3), step(3)},
		{"dee", 6, []string{"Keys are case-sensitive", "Leave a field empty"}, "", "", "", ""},
	} {
		page := b.Get("/archive/ranks?board=b&player="+tt.player+"&at="+handlerstest.November(tt.day, 13)).Is(t, http.StatusOK, tt.says...)
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(page.Text))
		if err != nil {
			t.Fatal(err)
		}
		if rows := doc.Find("tbody tr").Length(); rows != 1 && tt.player != "dee" {
			t.Errorf("%s on day %d: %d rows", tt.player, tt.day, rows)
		}
		var got []string
		doc.Find(".asof > *").Each(func(_ int, to *goquery.Selection) {
			_, at, _ := strings.Cut(to.AttrOr("href", ""), "&player="+tt.player)
			got = append(got, strings.TrimPrefix(at, "&"))
		})
		if want := []string{tt.prev, tt.was, "", tt.check, tt.to, ""}; !slices.Equal(got, want) {
			t.Errorf("%s on day %d: the steps lead to %q, want %q", tt.player, tt.day, got, want)
		}
	}
}

// Lists of any keys are walked to their end, and back to the beginning.
func TestShardInParts(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Time = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	sh := shards.Declaration{Name: "keys"}
	for _, kind := range []string{shards.Boolean, shards.Timestamp, shards.Number, shards.Text, shards.Integer} {
		sh.Key = append(sh.Key, shards.Field{Name: kind + "_key", Type: kind})
	}
	if _, err := archive.Declare(t.Context(), s.DB.DB, sh, s.Time); err != nil {
		t.Fatal(err)
	}
	var rows []shards.Row
	for i := range 2*handlers.ShardRowsShown + 50 {
		rows = append(rows, shards.Row{"boolean_key": i%2 == 0, "timestamp_key": s.Time.Add(time.Duration(i/50) * time.Microsecond), "number_key": 0.1 * float64(i/25), "text_key": string(rune('a'+i%3)) + "&=\"é", "integer_key": 1<<62 + i})
	}
	seen(t, s, 1, "keys", rows...)
	b := s.Browser(t)
	next, first, seen := "/archive/keys?text_key=", "", map[string]bool{}
	for part := 0; next != ""; part++ {
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.Get(next).Is(t, http.StatusOK).Text))
		if err != nil || part > 2 {
			t.Fatal(part, err)
		}
		if back, ok := doc.Find(".pager [rel=prev]").Attr("href"); ok != (part > 0) || ok && back != first {
			t.Errorf("part %d leads back to %q, want %q", part, back, first)
		}
		doc.Find("tbody th").Each(func(_ int, th *goquery.Selection) { seen[th.Text()] = true })
		next = doc.Find(".pager [rel=next]").AttrOr("href", "")
		if part == 0 {
			first, _, _ = strings.Cut(next, "&cursor=")
		}
	}
	if len(seen) != len(rows) {
		t.Errorf("the parts show %d rows of %d", len(seen), len(rows))
	}
}

func TestDeclareForm(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	s.Member(t, "boss", members.RoleAdmin)
	s.SignedIn(t, "ann").Get("/archive/declare").Is(t, http.StatusForbidden)
	s.Browser(t).Post("/archive/declare").Is(t, http.StatusUnauthorized)
	b := s.SignedIn(t, "boss")
	b.Get("/archive").Is(t, http.StatusOK, `href="/archive/declare"`)
	b.Get("/archive/declare").Is(t, http.StatusOK, "chess_rating")
	for declaration, want := range map[string]string{
		"":                    "This is not JSON",
		"{":                   "This is not JSON",
		"[]":                  "This must be an object",
		`{"nane":"x"}`:        "nane: Unknown field",
		`{"name":7}`:          "name: This must be a string",
		`{"name":"Bad Name"}`: "name: &#34;Bad Name&#34; must be a lower-case letter",
		`{"name":"declare","key":[{"name":"a","type":"text"}]}`:                  "reserved for the archive",
		`{"name":"x","key":[{"name":"a","type":"words"}]}`:                       "a: Type &#34;words&#34; is not one of",
		`{"name":"ladder","key":[{"name":"a","type":"text"}]}`:                   "shard has this name",
		`{"name":"x","key":[{"name":"a","type":"text"}],"unique":[["nothing"]]}`: "nothing: Is not a field of this shard",
	} {
		b.Post("/archive/declare", "declaration", declaration).Is(t, http.StatusUnprocessableEntity, want, "<textarea")
	}
	b.Post("/archive/declare", "declaration", views.ShardExample).LeadsTo(t, "/archive/chess_rating")
	b.Get("/archive/chess_rating").Is(t, http.StatusOK, "Rating on the chess server", "Nothing pushed yet")
}

// The page of an empty shard shows admins what to push, and that can be pushed.
func TestPushExample(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	var fields []string
	for _, kind := range []string{"text", "integer", "number", "boolean", "timestamp", "json"} {
		fields = append(fields, fmt.Sprintf(`{"name":"a_%s","type":%[1]q}`, kind))
	}
	all, key := strings.Join(fields, ","), strings.ReplaceAll(strings.Join(fields[:5], ","), "a_", "k_")
	for name, declaration := range map[string]string{
		"of_all":  `"key":[{"name":"k","type":"text"}],"data":[` + all + `],"unique":[["a_text"],["a_integer"],["a_number"],["a_boolean"],["a_timestamp"],["a_integer","a_text"]]`,
		"by_all":  `"key":[` + key + `],"data":[` + all + `],"scope":["k_text"]`,
		"no_data": `"title":"Who <was> there","key":[` + key + `],"unique":[["k_boolean"]]`,
	} {
		p.Call("POST", "/archive", `{"name":"`+name+`",`+declaration+`}`).Is(t, http.StatusCreated)
		if a := s.Browser(t).Get("/archive/"+name).Is(t, http.StatusOK, "Nothing pushed yet", "This shard ", "An admin&#39;s program pushes"); strings.Contains(a.Text, "<pre") {
			t.Errorf("%s shows a visitor how to push", name)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(s.SignedIn(t, "boss").Get("/archive/"+name).Is(t, http.StatusOK, "laurel token NAME --admin", `href="/settings/data#tokens"`).Text))
		if err != nil {
			t.Fatal(err)
		}
		rows, command := doc.Find("pre").First().Text(), doc.Find("pre").Last().Text()
		if want := "http://laurel.test/api/v1/archive/" + name + "'"; !strings.HasPrefix(command, "curl ") || !strings.HasSuffix(command, want) {
			t.Errorf("the command is %s", command)
		}
		if got := handlerstest.Read[handlers.APIPushed](t, p.Call("POST", "/archive/"+name, rows), http.StatusOK); got != (handlers.APIPushed{Inserted: 2}) {
			t.Errorf("%s: pushing\n%s\ngives %+v", name, rows, got)
		}
		if a := s.SignedIn(t, "boss").Get("/archive/"+name).Is(t, http.StatusOK, "latest"); strings.Contains(a.Text, "<pre") {
			t.Errorf("%s shows how to push, and is not empty", name)
		}
	}
}

func TestChecksPage(t *testing.T) {
	t.Parallel()
	s, b := seenSite(t)
	s.StoreRanking(t, 5, 1, "x")
	b.Get("/looks").Is(t, http.StatusOK, "the judge is being mended", "/board", "same as before", "changed", "/u/ada?at=2026-11-04T12%3A00%3A00Z")
	if a := b.Get("/looks?source=codeforces&viewer=ada&failed=yes").Is(t, http.StatusOK, "the judge is being mended"); strings.Contains(a.Text, "same as before") {
		t.Error("checks that went well are shown among those that failed")
	}
	b.Get("/looks?viewer=ada&day=2026-11-02").Is(t, http.StatusOK, "Checks for ada", "2 Nov 12:00:00", "/looks?day=2026-11-02&amp;viewer=ada&amp;format=csv", "&amp;format=json")
	b.Get("/looks?day=2026-11-10").Is(t, http.StatusOK, "No checks on this day")
	b.Get("/looks?day=yesterday").Is(t, http.StatusUnprocessableEntity, "Write the day as")
	b.Get("/looks?after=x").Is(t, http.StatusUnprocessableEntity, "cursor")
	s.Member(t, "ada", members.RoleMember)
	b.Get("/looks?viewer=ada").Is(t, http.StatusOK, `href="/u/ada"`)
}

func TestChecksFilterAndSheets(t *testing.T) {
	t.Parallel()
	_, b := seenSite(t)
	if a := b.Get("/looks?outcome=ok").Is(t, http.StatusOK, `<option value="ok" selected`, "same as before"); strings.Contains(a.Text, "the judge is being mended") {
		t.Error("a check that failed is shown among those that ended otherwise")
	}
	b.Get("/looks?outcome=refused").Is(t, http.StatusOK, "No checks match this filter")
	b.Get("/looks?outcome=odd").Is(t, http.StatusOK, `<option value="odd" selected`)
	b.Get("/looks?since=2026-11-04T00:00:00Z&until=2026-11-05&day=2026-11-02").Is(t, http.StatusOK, "No checks match", `name="since" value="2026-11-04T00:00:00Z"`)
	b.Get("/looks?since=2026-11-04").Is(t, http.StatusOK, "4 Nov 12:00:00")
	for _, bad := range []string{"since=soon", "until=soon", "day=soon", "outcom=ok", "day=2026-11-02&day=2026-11-03", "after=x"} {
		b.Get("/looks?"+bad).Is(t, http.StatusUnprocessableEntity, "Correct the filter")
		b.Get("/looks?format=csv&"+bad).Is(t, http.StatusUnprocessableEntity)
	}
	b.Get("/looks?format=xml").Is(t, http.StatusUnprocessableEntity, "csv and json")
	b.Get("/looks?format=csv&outcome=ok&viewer=ada").Is(t, http.StatusOK, "at,source,viewer,address,outcome,same,message,page\n2026-11-04T12:00:00Z,codeforces,ada,", ",ok,", "/u/ada?at=2026-11-04T12%3A00%3A00Z\n")
	b.Get("/looks?format=json&since=2030-01-01").Is(t, http.StatusOK, `{"items":[],"next":""}`)
	b.Get("/looks?format=json&failed=yes").Is(t, http.StatusOK, `"message":"the judge is being mended"`)
}

// The checks of guests stay those of guests in the parts behind the first.
func TestChecksInParts(t *testing.T) {
	t.Parallel()
	s, b := seenSite(t)
	for n := range 2 * (handlers.ChecksShown + 1) {
		r := archive.Response{Source: "game", Address: "/board", Viewer: []string{"", "ada"}[n%2], At: s.Time.Add(time.Duration(-n) * time.Second), Outcome: "blocked"}
		if _, err := archive.Store(t.Context(), s.DB.DB, r, s.Time); err != nil {
			t.Fatal(err)
		}
	}
	first := handlerstest.Read[handlers.ShownChecks](t, b.Get("/looks?viewer=&failed&format=json"), http.StatusOK)
	rest := handlerstest.Read[handlers.ShownChecks](t, b.Get(first.Next), http.StatusOK)
	if len(first.Items) != handlers.ChecksShown || len(rest.Items) != 1 || rest.Items[0].Viewer != "" || rest.Next != "" {
		t.Errorf("behind %d checks of guests at %s: %+v", len(first.Items), first.Next, rest)
	}
}

// The admins' page says how the archive is.
func TestAdminSeesTheArchive(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "boss", members.RoleAdmin)
	s.Time = time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	b := s.SignedIn(t, "boss")
	b.Get("/admin/archive").Is(t, http.StatusOK, "Not checked yet", "No response was refused in the last 7 days")
	seen(t, s, 4, "account_rating", rating("ada", 1), rating("ada", 2))
	seen(t, s, 4, "account_rating", rating("bob", 1))
	check := func() {
		if _, err := modelhistory.Check(t.Context(), s.DB.DB, s.Time); err != nil {
			t.Fatal(err)
		}
	}
	check()
	b.Get("/admin/archive").Is(t, http.StatusOK, "no problems", "1 row, 2 retrievals", `<a href="/looks?outcome=refused">1 response`)
	if err := s.DB.Exec(`DELETE FROM shard_account_rating`).Error; err != nil {
		t.Fatal(err)
	}
	s.Time = s.Time.Add(time.Hour)
	check()
	b.Get("/admin/archive").Is(t, http.StatusOK, "2 problems", "1 to 2 of 2", "lost", "gave 1 facts, and 0 are in rows", "Restore from a backup")
	err := s.DB.Exec(`UPDATE archive_checks SET total = 1234, findings = (
		SELECT jsonb_agg(jsonb_build_object('shard', '', 'kind', 'log', 'message', 'finding ' || n)) FROM generate_series(1, 45) n)`).Error
	if err != nil {
		t.Fatal(err)
	}
	b.Get("/admin/archive").Is(t, http.StatusOK, "1,234 problems", "1 to 20 of 1234", "The first 1,000 are kept", `href="/admin/archive?findings=20"`)
	b.Get("/admin/archive?findings=40").Is(t, http.StatusOK, "finding 41", "41 to 45 of 1234", `href="/admin/archive?findings=20"`)
	for _, odd := range []string{"x", "-5", "99999999999999999999"} {
		b.Get("/admin/archive?findings="+odd).Is(t, http.StatusOK, "1,234 problems")
	}
}
