package follows_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/follows"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// A deed is what the test made somebody do.
type deed struct {
	at    time.Time
	what  string // A problem's key, or an award's slug.
	level int    // Of an award.
	shown bool   // To the reader.
}

// A doer is somebody whom the reader may follow, and all that they did.
type doer struct {
	members.Member
	followed bool
	deeds    []deed
}

// histories makes random people, who do random things near midnights.
type histories struct {
	t    *testing.T
	db   *gorm.DB
	r    *rand.Rand
	run  int
	made int // Problems so far.
}

func (h *histories) exec(sql string, named ...any) {
	h.t.Helper()
	if err := h.db.Exec(sql, pg.Named(named...)).Error; err != nil {
		h.t.Fatal(err)
	}
}

var zones = []string{"UTC", "Asia/Kolkata", "America/New_York", "Pacific/Auckland", "Pacific/Kiritimati"}

// awards are a common one, one that is hidden now, and a secret one, which the reader may have.
func addAwards(t *testing.T, db *gorm.DB) {
	t.Helper()
	for slug, set := range map[string]string{"common": "'active', false", "gone": "'hidden', false", "secret": "'active', true"} {
		if err := db.Exec(`
			WITH a AS (INSERT INTO awards (slug, state, secret, version, latest, created_at) SELECT @slug, x.state, x.secret, 1, 1, @now
				FROM (VALUES (`+set+`)) AS x(state, secret) RETURNING id)
			INSERT INTO award_versions (award_id, number, document, digest, author, note, created_at)
			SELECT id, 1, jsonb_build_object('title', upper(@slug)), '', 'test', '', @now FROM a`,
			pg.Named("slug", slug, "now", modelstest.Noon)).Error; err != nil {
			t.Fatal(err)
		}
	}
}

func (h *histories) grant(member int64, slug string, level int, at time.Time, revoked bool) {
	h.exec(`INSERT INTO award_grants (award_id, member_id, period, level, award_version, granted_at, found_at, revoked_at)
		SELECT id, @member, @period, @level, 1, @at, @at, CASE WHEN @revoked THEN CAST(@at AS timestamptz) END FROM awards WHERE slug = @slug`,
		"member", member, "period", fmt.Sprint(h.made), "level", level, "at", at, "revoked", revoked, "slug", slug)
}

// does gives a doer some deeds. Moments are unique, and some are a second before or after a midnight.
func (h *histories) does(d *doer, zone *time.Location, holdsSecret bool) {
	taken := map[int64]bool{}
	for range h.r.IntN(25) {
		day := time.Date(2026, 11, 10+h.r.IntN(8), 0, 0, 0, 0, zone)
		at := day.Add(time.Duration(h.r.IntN(3)-1) * time.Second)
		if h.r.IntN(2) == 0 {
			at = day.Add(time.Duration(h.r.IntN(86400)) * time.Second)
		}
		if taken[at.Unix()] {
			continue
		}
		taken[at.Unix()] = true
		h.made++
		if d.Custom || h.r.IntN(3) > 0 {
			key := fmt.Sprint("p", h.made)
			h.exec(`WITH p AS (INSERT INTO problems (site, key, name, url) VALUES ('uva', @key, '', '') RETURNING id)
				INSERT INTO solved (member_id, problem_id, first_at, submission_id) SELECT @member, id, @at, 1 FROM p`,
				"key", key, "member", d.ID, "at", at)
			d.deeds = append(d.deeds, deed{at, key, 0, true})
			continue
		}
		slug, level, revoked := []string{"common", "gone", "secret"}[h.r.IntN(3)], 1+h.r.IntN(3), h.r.IntN(5) == 0
		h.grant(d.ID, slug, level, at, revoked)
		shown := !revoked && d.BannedAt == nil && (slug == "common" || slug == "secret" && holdsSecret)
		d.deeds = append(d.deeds, deed{at, slug, level, shown})
	}
	// What is only known to be solved is no deed.
	h.made++
	h.exec(`INSERT INTO solved (member_id, problem_id, first_at, submission_id) VALUES (@member, @id, '1990-01-01 00:00:00+00', 1)`,
		"member", d.ID, "id", -h.made)
}

// meets makes somebody of a random kind, whom the reader follows or not.
func (h *histories) meets(reader members.Member, i int) *doer {
	m := members.Member{Name: fmt.Sprintf("d%d-%d", h.run, i)}
	way := h.r.IntN(6)
	if m.Custom = way == 0; m.Custom {
		m.OwnerID = &reader.ID
	}
	if err := members.Create(h.t.Context(), h.db, &m, modelstest.Noon); err != nil {
		h.t.Fatal(err)
	}
	d := &doer{Member: m, followed: m.Custom}
	if way == 1 {
		h.exec(`UPDATE members SET seen_by = 'self' WHERE id = @id`, "id", m.ID)
	}
	if way == 2 {
		d.BannedAt = new(modelstest.Noon)
		h.exec(`UPDATE members SET banned_at = @at WHERE id = @id`, "id", m.ID, "at", modelstest.Noon)
	}
	switch {
	case m.Custom:
	case way == 5:
		h.exec(`INSERT INTO follows (follower_id, followed_id, asked_at) VALUES (@a, @b, @now)`, "a", reader.ID, "b", m.ID, "now", modelstest.Noon)
	case way > 0:
		d.followed = way != 1 // Who hides shows nothing to a follower either.
		h.exec(`INSERT INTO follows (follower_id, followed_id, asked_at, since) VALUES (@a, @b, @now, @now)`, "a", reader.ID, "b", m.ID, "now", modelstest.Noon)
	}
	return d
}

// want is the feed by brute force: all deeds, put together by the dates on the reader's wall.
func want(doers []*doer, zone *time.Location) []string {
	type day struct {
		id   int64
		at   time.Time
		line string
	}
	var all []day
	for _, d := range doers {
		byDate := map[string][]deed{}
		for _, x := range d.deeds {
			if d.followed && x.shown {
				date := x.at.In(zone).Format(time.DateOnly)
				byDate[date] = append(byDate[date], x)
			}
		}
		for date, deeds := range byDate {
			slices.SortFunc(deeds, func(a, b deed) int { return b.at.Compare(a.at) })
			var problems, earned []string
			levels := map[string]int{}
			for _, x := range deeds {
				if x.level == 0 {
					problems = append(problems, x.what)
					continue
				}
				if levels[x.what] == 0 {
					earned = append(earned, x.what)
				}
				levels[x.what] = max(levels[x.what], x.level)
			}
			for i, slug := range earned {
				earned[i] = fmt.Sprint(slug, levels[slug])
			}
			all = append(all, day{d.ID, deeds[0].at, line(d.Name, date, len(problems), problems[:min(3, len(problems))], earned)})
		}
	}
	slices.SortFunc(all, func(a, b day) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id)) })
	lines := make([]string, len(all))
	for i := range all {
		lines[i] = all[i].line
	}
	return lines
}

func line(name, date string, solved int, problems, awards []string) string {
	return fmt.Sprint(name, " on ", date, " solved ", solved, ": ", strings.Join(problems, " "), "; earned ", strings.Join(awards, " "))
}

func lineOf(d follows.Day, zone *time.Location) string {
	var problems, awards []string
	for _, p := range d.Problems {
		problems = append(problems, p.Key)
	}
	for _, a := range d.Awards {
		awards = append(awards, fmt.Sprint(a.Slug, a.Level))
	}
	return line(d.Name, d.Day.In(zone).Format(time.DateOnly), d.Solved, problems, awards)
}

// The feed, page by page, is what going through all deeds gives.
func TestFeedEqualsAllDeeds(t *testing.T) {
	t.Parallel()
	seed, parts := uint64(time.Now().UnixNano()), 1
	if os.Getenv("LAUREL_SOAK") != "" {
		parts = 20
	}
	for part := range parts {
		t.Run(fmt.Sprint("seed ", seed+uint64(part)), func(t *testing.T) {
			h := &histories{t: t, db: modelstest.Tx(t), r: rand.New(rand.NewPCG(seed+uint64(part), 1))}
			addAwards(t, h.db)
			for h.run = range 25 {
				h.compare()
			}
		})
	}
}

// compare makes a reader and people, and reads the feed in pages of a random size.
func (h *histories) compare() {
	t := h.t
	zone, err := time.LoadLocation(zones[h.r.IntN(len(zones))])
	if err != nil {
		t.Fatal(err)
	}
	reader := modelstest.Member(t, h.db, fmt.Sprint("r", h.run), nil, modelstest.Noon)
	reader.TimeZone = zone.String()
	holdsSecret := h.r.IntN(2) == 0
	if holdsSecret {
		h.made++
		h.grant(reader.ID, "secret", 1, modelstest.Noon, false)
	}
	var doers []*doer
	for i := range h.r.IntN(9) {
		d := h.meets(reader, i)
		h.does(d, zone, holdsSecret)
		doers = append(doers, d)
	}
	ctx := members.As(t.Context(), members.Viewer(reader.ID))
	var got []string
	limit := 1 + h.r.IntN(6)
	for cursor, first := (pg.Cursor{}), true; first || cursor != (pg.Cursor{}); first = false {
		days, next, err := follows.Feed(ctx, h.db, &reader, cursor, limit, modelstest.Noon)
		if err != nil {
			t.Fatal(err)
		}
		if len(days) > limit || next != (pg.Cursor{}) && len(days) < limit {
			t.Fatalf("a page of %d has %d rows, and goes on at %q", limit, len(days), next)
		}
		for _, d := range days {
			got = append(got, lineOf(d, zone))
		}
		if cursor = next; len(got) > 1000 {
			t.Fatal("the feed does not end")
		}
	}
	if all := want(doers, zone); !slices.Equal(got, all) {
		t.Fatalf("run %d, pages of %d, in %s:\n%s\nwant\n%s", h.run, limit, zone, strings.Join(got, "\n"), strings.Join(all, "\n"))
	}
}
