package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"laurel/models/archive"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	archiveviews "laurel/views/archive"
)

// seen stores what a look on a day of November showed.
func seen(t *testing.T, s *site, day int, shard string, rows ...archive.Row) {
	t.Helper()
	at := time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
	r := archive.Response{Source: "codeforces", Address: "/rating", Viewer: "ada", At: at, Shards: map[string][]archive.Row{shard: rows}}
	if rows == nil {
		r.Shards, r.Outcome, r.Message = nil, "server_error", "the judge is being mended"
	}
	if _, err := archive.Store(t.Context(), s.DB.DB, r, at); err != nil {
		t.Fatal(err)
	}
}

func rating(handle string, rating any) archive.Row {
	return archive.Row{"site": "codeforces", "handle": handle, "rating": rating, "best": 2000}
}

// seenSite is a site with a shard that was seen on some days, not always well.
func seenSite(t *testing.T) (*site, *browser) {
	t.Helper()
	s := newSite(t, "http://laurel.test")
	s.now = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	seen(t, s, 1, "account_rating", rating("a&b", 1500), rating("bob", nil))
	seen(t, s, 2, "account_rating", rating("a&b", 1500), rating("bob", nil))
	seen(t, s, 3, "")
	seen(t, s, 4, "account_rating", rating("a&b", 1600), rating("bob", nil))
	return s, s.browser(t)
}

func TestArchivePages(t *testing.T) {
	t.Parallel()
	_, b := seenSite(t)
	b.get("/archive").is(t, http.StatusOK, "account_rating", "4 Nov", `href="/ladders"`, `href="/looks"`, `href="/api/v1/archive?limit=500">JSON</a>`)
	b.get("/api/v1/archive?limit=500").is(t, http.StatusOK, `"next":""`)
	for _, name := range []string{"nothing", "%00", "%FF"} {
		b.get("/archive/"+name).is(t, http.StatusNotFound)
		b.get("/archive/"+name+"/history").is(t, http.StatusNotFound)
	}

	const base = "/archive/account_rating"
	b.get(base).is(t, http.StatusOK, "1600", "latest", base+`/history?handle=a%26b&amp;site=codeforces`, "/api/v1/archive/account_rating?at=")
	b.get(base+"?at="+november(2, 14)+"&handle=a%26b").is(t, http.StatusOK, "1500", "last known", "changed to rating 1600 within", base+"?handle=a%26b&amp;at=2026-11-04T12:00:00Z")
	b.get(base+"?at="+november(1, 14)).is(t, http.StatusOK, "likely", "bob")
	b.get(base+"?at="+november(1, 12)).is(t, http.StatusOK, "known")
	b.get(base+"?at=2026-10-01").is(t, http.StatusOK, "No rows at this time")
	b.get(base+"?handle=cy").is(t, http.StatusOK, "No row with this key")
	b.get("/archive/account_rank").is(t, http.StatusOK, "No rows yet")
	b.get(base+"?at=x").is(t, http.StatusUnprocessableEntity, "Write the instant as", "Correct the filter")

	b.get(base+"/history?site=codeforces&handle=a%26b").is(t, http.StatusOK, "site codeforces, handle a&amp;b", "4 checks, 1 failed", "1500, 2000", "still open")
	b.get(base+"/history?handle=bob").is(t, http.StatusUnprocessableEntity, "add site")
	b.get(base+"/history").is(t, http.StatusUnprocessableEntity, "add site and handle")
	b.get(base+"/history?site=codeforces&handle=cy").is(t, http.StatusOK, "No values yet")
}

// A row whose key is an empty text has a timeline, too.
func TestTimelineOfAnEmptyKey(t *testing.T) {
	t.Parallel()
	s, b := seenSite(t)
	seen(t, s, 5, "account_rating", rating("", 1700))
	const timeline = "/archive/account_rating/history?handle=&site=codeforces"
	b.get("/archive/account_rating").is(t, http.StatusOK, strings.ReplaceAll(timeline, "&", "&amp;"))
	b.get(timeline).is(t, http.StatusOK, "1700, 2000")
}

// Keys are filtered by their types, and long lists are shown in parts.
func TestDeclaredShardPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.now = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	sh := &archive.Shard{Name: "scores", Key: []archive.Field{{Name: "player", Type: archive.Integer}}, Data: []archive.Field{{Name: "data", Type: archive.JSON}}}
	if err := archive.Declare(t.Context(), s.DB.DB, sh, s.now); err != nil {
		t.Fatal(err)
	}
	var rows []archive.Row
	for i := range 150 {
		rows = append(rows, archive.Row{"player": 1000 + i, "data": map[string]any{"n": i}})
	}
	seen(t, s, 1, "scores", rows...)
	b := s.browser(t)
	b.get("/archive").is(t, http.StatusOK, "declared here")
	b.get("/archive/scores").is(t, http.StatusOK, "1099", `rel="next"`)
	b.get("/archive/scores?cursor=1").is(t, http.StatusUnprocessableEntity, "cursor was not made by this list")
	b.get("/archive/scores?player=1100").is(t, http.StatusOK, "{&#34;n&#34;:100}")
	b.get("/archive/scores?player=x").is(t, http.StatusUnprocessableEntity, "is not of type integer")
	b.get("/archive/scores/history?player=1100").is(t, http.StatusOK, "player 1100")
	b.get("/archive/scores/history?player=x").is(t, http.StatusUnprocessableEntity)
}

// A key without a row at an instant says what was before, how that ended, and
// what comes later, with the ways there.
func TestShardWithoutARow(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.now = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	sh := &archive.Shard{Name: "ranks", Key: []archive.Field{{Name: "board", Type: archive.Text}, {Name: "player", Type: archive.Text}},
		Data: []archive.Field{{Name: "rank", Type: archive.Integer}}, Unique: [][]string{{"board", "rank"}}, Scope: []string{"board"}}
	if err := archive.Declare(t.Context(), s.DB.DB, sh, s.now); err != nil {
		t.Fatal(err)
	}
	for day, l := range []struct {
		players []string // From the first rank on; nil where nobody looked.
		partly  bool     // There may be others.
		gone    bool
	}{1: {players: []string{"ada", "bob"}}, 2: {players: []string{"ada", "bob"}}, 3: {players: []string{"cy", "bob"}, partly: true}, 5: {players: []string{"cy"}}, 7: {players: []string{"ada"}}, 9: {gone: true}} {
		at := time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
		r := archive.Response{Source: "game", Address: "/b", At: at, Gone: l.gone, Complete: map[string][]archive.Row{"ranks": {{"board": "b"}}}, Shards: map[string][]archive.Row{}}
		for i, name := range l.players {
			r.Shards["ranks"] = append(r.Shards["ranks"], archive.Row{"board": "b", "player": name, "rank": i + 1})
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
	b := s.browser(t)
	b.get("/archive/ranks?board=b&player=%00").is(t, http.StatusUnprocessableEntity, "Player holds the character U+0000")
	step := func(day int) string { return fmt.Sprintf("at=2026-11-%02dT12:00:00Z", day) }
	for _, tt := range []struct {
		player    string
		day       int
		says      []string
		prev, was string // Where "◀ change" and "‹ look" lead.
		look, to  string // Where "look ›" and "change ▶" lead.
	}{
		{"bob", 2, []string{"likely"}, step(1), step(2), step(3), step(5)},
		{"ada", 4, []string{"replaced", "someone else took this place on 3 November", "seen again on 7 November", "The last one before it", `<td data-of="rank">1</td>`}, step(3), step(3), step(7), step(7)},
		{"bob", 6, []string{"removed", "no longer shown on 5 November", `<td data-of="rank">2</td>`}, step(5), step(5), "", ""},
		{"ada", 10, []string{"removed", "the source was gone on 9 November"}, step(9), step(9), "", ""},
		{"cy", 1, []string{"unknown", "first seen on 3 November", "No row with this key at this time yet", `<td data-of="rank">-</td>`}, "", "", step(3), step(3)},
		{"dee", 6, []string{"Keys are case-sensitive", "Leave a field empty"}, "", "", "", ""},
	} {
		page := b.get("/archive/ranks?board=b&player="+tt.player+"&at="+november(tt.day, 13)).is(t, http.StatusOK, tt.says...)
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(page.body))
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
		if want := []string{tt.prev, tt.was, "", tt.look, tt.to, ""}; !slices.Equal(got, want) {
			t.Errorf("%s on day %d: the steps lead to %q, want %q", tt.player, tt.day, got, want)
		}
	}
}

// Lists of any keys are walked to their end, and back to the beginning.
func TestShardInParts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.now = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	sh := &archive.Shard{Name: "keys"}
	for _, kind := range []string{archive.Boolean, archive.Timestamp, archive.Number, archive.Text, archive.Integer} {
		sh.Key = append(sh.Key, archive.Field{Name: kind + "_key", Type: kind})
	}
	if err := archive.Declare(t.Context(), s.DB.DB, sh, s.now); err != nil {
		t.Fatal(err)
	}
	var rows []archive.Row
	for i := range 2*shardRowsShown + 50 {
		rows = append(rows, archive.Row{"boolean_key": i%2 == 0, "timestamp_key": s.now.Add(time.Duration(i/50) * time.Microsecond), "number_key": 0.1 * float64(i/25), "text_key": string(rune('a'+i%3)) + "&=\"é", "integer_key": 1<<62 + i})
	}
	seen(t, s, 1, "keys", rows...)
	b := s.browser(t)
	next, first, seen := "/archive/keys?text_key=", "", map[string]bool{}
	for part := 0; next != ""; part++ {
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.get(next).is(t, http.StatusOK).body))
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
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	s.member(t, "boss", members.RoleAdmin)
	s.signedIn(t, "ann").get("/archive/declare").is(t, http.StatusForbidden)
	s.browser(t).post("/archive/declare").is(t, http.StatusUnauthorized)
	b := s.signedIn(t, "boss")
	b.get("/archive").is(t, http.StatusOK, `href="/archive/declare"`)
	b.get("/archive/declare").is(t, http.StatusOK, "chess_rating")
	for declaration, want := range map[string]string{
		"":                    "This is not JSON",
		"{":                   "This is not JSON",
		"[]":                  "This must be an object",
		`{"nane":"x"}`:        "nane: There is no such field here",
		`{"name":7}`:          "name: This must be a string",
		`{"name":"Bad Name"}`: "name: &#34;Bad Name&#34; must be a lower-case letter",
		`{"name":"declare","key":[{"name":"a","type":"text"}]}`:                  "taken by the archive itself",
		`{"name":"x","key":[{"name":"a","type":"words"}]}`:                       "a: Type &#34;words&#34; is not one of",
		`{"name":"ladder","key":[{"name":"a","type":"text"}]}`:                   "with this name exists",
		`{"name":"x","key":[{"name":"a","type":"text"}],"unique":[["nothing"]]}`: "nothing: Is no field of this shard",
	} {
		b.post("/archive/declare", "declaration", declaration).is(t, http.StatusUnprocessableEntity, want, "<textarea")
	}
	b.post("/archive/declare", "declaration", archiveviews.ShardExample).leads(t, "/archive/chess_rating")
	b.get("/archive/chess_rating").is(t, http.StatusOK, "Rating on the chess server", "Nothing pushed yet")
}

// The page of an empty shard shows admins what to push, and that can be pushed.
func TestPushExample(t *testing.T) {
	t.Parallel()
	s, p := pusher(t)
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
		p.call("POST", "/archive", `{"name":"`+name+`",`+declaration+`}`).is(t, http.StatusCreated)
		if a := s.browser(t).get("/archive/"+name).is(t, http.StatusOK, "Nothing pushed yet", "This shard ", "An admin&#39;s program pushes"); strings.Contains(a.body, "<pre") {
			t.Errorf("%s shows a visitor how to push", name)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(s.signedIn(t, "boss").get("/archive/"+name).is(t, http.StatusOK, "laurel token NAME --admin", `href="/settings#tokens"`).body))
		if err != nil {
			t.Fatal(err)
		}
		rows, command := doc.Find("pre").First().Text(), doc.Find("pre").Last().Text()
		if want := "http://laurel.test/api/v1/archive/" + name + "'"; !strings.HasPrefix(command, "curl ") || !strings.HasSuffix(command, want) {
			t.Errorf("the command is %s", command)
		}
		if got := read[apiPushed](t, p.call("POST", "/archive/"+name, rows), http.StatusOK); got != (apiPushed{Inserted: 2}) {
			t.Errorf("%s: pushing\n%s\ngives %+v", name, rows, got)
		}
		if a := s.signedIn(t, "boss").get("/archive/"+name).is(t, http.StatusOK, "latest"); strings.Contains(a.body, "<pre") {
			t.Errorf("%s shows how to push, and is not empty", name)
		}
	}
}

func TestLooksPage(t *testing.T) {
	t.Parallel()
	s, b := seenSite(t)
	s.ladder(t, 5, 1, "x")
	b.get("/looks").is(t, http.StatusOK, "the judge is being mended", "/board", "same as before", "changed", "/u/ada?at=2026-11-04T12%3A00%3A00Z")
	if a := b.get("/looks?source=codeforces&viewer=ada&failed=yes").is(t, http.StatusOK, "the judge is being mended"); strings.Contains(a.body, "same as before") {
		t.Error("looks that went well are shown among those that failed")
	}
	b.get("/looks?viewer=ada&day=2026-11-02").is(t, http.StatusOK, "Checks for ada", "2 Nov 12:00:00", "/looks?day=2026-11-02&amp;viewer=ada&amp;format=csv", "&amp;format=json")
	b.get("/looks?day=2026-11-10").is(t, http.StatusOK, "No checks on this day")
	b.get("/looks?day=yesterday").is(t, http.StatusUnprocessableEntity, "Write the day as")
	b.get("/looks?after=x").is(t, http.StatusUnprocessableEntity, "cursor")
	s.member(t, "ada", members.RoleMember)
	b.get("/looks?viewer=ada").is(t, http.StatusOK, `href="/u/ada"`)
}

func TestLooksFilterAndSheets(t *testing.T) {
	t.Parallel()
	_, b := seenSite(t)
	if a := b.get("/looks?outcome=ok").is(t, http.StatusOK, `<option value="ok" selected`, "same as before"); strings.Contains(a.body, "the judge is being mended") {
		t.Error("a look that failed is shown among those that ended otherwise")
	}
	b.get("/looks?outcome=refused").is(t, http.StatusOK, "No checks match this filter")
	b.get("/looks?outcome=odd").is(t, http.StatusOK, `<option value="odd" selected`)
	b.get("/looks?since=2026-11-04T00:00:00Z&until=2026-11-05&day=2026-11-02").is(t, http.StatusOK, "No checks match", `name="since" value="2026-11-04T00:00:00Z"`)
	b.get("/looks?since=2026-11-04").is(t, http.StatusOK, "4 Nov 12:00:00")
	for _, bad := range []string{"since=soon", "until=soon", "day=soon", "outcom=ok", "day=2026-11-02&day=2026-11-03", "after=x"} {
		b.get("/looks?"+bad).is(t, http.StatusUnprocessableEntity, "Correct the filter")
		b.get("/looks?format=csv&"+bad).is(t, http.StatusUnprocessableEntity)
	}
	b.get("/looks?format=xml").is(t, http.StatusUnprocessableEntity, "csv and json")
	b.get("/looks?format=csv&outcome=ok&viewer=ada").is(t, http.StatusOK, "at,source,viewer,address,outcome,same,message,page\n2026-11-04T12:00:00Z,codeforces,ada,", ",ok,", "/u/ada?at=2026-11-04T12%3A00%3A00Z\n")
	b.get("/looks?format=json&since=2030-01-01").is(t, http.StatusOK, `{"items":[],"next":""}`)
	b.get("/looks?format=json&failed=yes").is(t, http.StatusOK, `"message":"the judge is being mended"`)
}

// The looks of guests stay those of guests in the parts behind the first.
func TestLooksInParts(t *testing.T) {
	t.Parallel()
	s, b := seenSite(t)
	for n := range 2 * (looksShown + 1) {
		r := archive.Response{Source: "game", Address: "/board", Viewer: []string{"", "ada"}[n%2], At: s.now.Add(time.Duration(-n) * time.Second), Outcome: "blocked"}
		if _, err := archive.Store(t.Context(), s.DB.DB, r, s.now); err != nil {
			t.Fatal(err)
		}
	}
	first := read[shownLooks](t, b.get("/looks?viewer=&failed&format=json"), http.StatusOK)
	rest := read[shownLooks](t, b.get(first.Next), http.StatusOK)
	if len(first.Items) != looksShown || len(rest.Items) != 1 || rest.Items[0].Viewer != "" || rest.Next != "" {
		t.Errorf("behind %d looks of guests at %s: %+v", len(first.Items), first.Next, rest)
	}
}

// The admins' page says how the archive is.
func TestAdminSeesTheArchive(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "boss", members.RoleAdmin)
	s.now = time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	b := s.signedIn(t, "boss")
	b.get("/admin").is(t, http.StatusOK, "Not checked yet", "No response was refused in the last 7 days")
	seen(t, s, 4, "account_rating", rating("ada", 1), rating("ada", 2))
	seen(t, s, 4, "account_rating", rating("bob", 1))
	check := func() {
		if _, err := modelhistory.Check(t.Context(), s.DB.DB, s.now); err != nil {
			t.Fatal(err)
		}
	}
	check()
	b.get("/admin").is(t, http.StatusOK, "no problems", "1 row, 2 retrievals", `<a href="/looks?outcome=refused">1 response`)
	if err := s.DB.Exec(`DELETE FROM shard_account_rating`).Error; err != nil {
		t.Fatal(err)
	}
	s.now = s.now.Add(time.Hour)
	check()
	b.get("/admin").is(t, http.StatusOK, "1 problem", "lost", "gave 1 facts, and 0 are in rows", "Restore from a backup")
}
