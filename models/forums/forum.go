// Package forums holds mailing lists and forums: their messages, threads and
// authors, and how far each was harvested.
package forums

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Forum is an archive of a mailing list or a forum that is harvested.
type Forum struct {
	ID           int64
	Slug, Name   string
	Kind, URL    string
	State        string // open, paused or finished.
	GapMs        int
	AddedAt      time.Time
	AddedBy      string
	FromPeriod   string
	NextRunAt    *time.Time
	KickedAt     *time.Time
	Burst        bool
	BurstAt      *time.Time
	Again        bool
	LeasedUntil  *time.Time
	LeaseID      *int64
	Attempts     int
	Etag         string
	LastModified string
	Cursor       string
	CoveredAt    *time.Time // The last run that reached covered ground.
	Outcome      string
	Message      string
	Robots       string
	Messages     int
	Duplicates   int
	Requests     int64
	NotModified  int64
	HookHash     []byte // Of its webhook's secret; nil where it has none.
	DetectedAt   *time.Time
}

// Gap is the least time between two requests to the forum.
func (f *Forum) Gap() time.Duration { return time.Duration(f.GapMs) * time.Millisecond }

// BurstAgain is when another burst may begin; zero for at once.
func (f *Forum) BurstAgain(now time.Time) time.Time {
	if f.BurstAt == nil || !f.BurstAt.Add(burstEvery).After(now) {
		return time.Time{}
	}
	return f.BurstAt.Add(burstEvery)
}

// How often an open forum is read, and how long a burst must be ago for another one.
const (
	forumEvery = time.Hour
	burstEvery = 10 * time.Minute
)

// WakeForums is heard on ChannelAsked where a forum was kicked or added.
const WakeForums = "harvest"

var forumSlug = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// A New is one to harvest.
type New struct {
	Slug, Name, Kind, URL string
	AddedBy               string
	From                  string // The oldest month that is wanted: 2011-06; "" is all.
	Finished              bool   // Nothing is asked for any more.
}

// Add adds a forum, which is harvested at once. One address has one harvester:
// the same forum once more is no mistake, another kind for its address is.
func Add(ctx context.Context, db *gorm.DB, n New, kinds []string, now time.Time) (Forum, bool, error) {
	if err := n.check(kinds); err != nil {
		return Forum{}, false, err
	}
	var f Forum
	made := false
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var err error
		if f, err = forumAt(ctx, tx, n.URL); err == nil {
			return n.sameAs(&f)
		}
		if !errors.Is(err, pg.ErrNotFound) {
			return err
		}
		f, made, err = n.insert(ctx, tx, now)
		return err
	})
	if err != nil || !made {
		return f, false, err
	}
	return f, true, pg.Wake(ctx, db, WakeForums)
}

func (n *New) insert(ctx context.Context, tx *gorm.DB, now time.Time) (f Forum, made bool, err error) {
	state, next := "open", &now
	if n.Finished {
		state, next = "finished", nil
	}
	if n.Kind == KindMbox {
		next = nil
	}
	res := tx.WithContext(ctx).Raw(`
		INSERT INTO forums AS f (slug, name, kind, url, state, gap_ms, added_at, added_by, from_period, next_run_at)
		VALUES (@slug, @name, @kind, @url, @state, @gap, @now, @by, @from, @next) ON CONFLICT DO NOTHING
		RETURNING `+pg.Columns[Forum]("f"),
		pg.Named("slug", n.Slug, "name", n.Name, "kind", n.Kind, "url", n.URL, "state", state, "gap", minGapMs, "now", now,
			"by", n.AddedBy, "from", n.From, "next", next)).Scan(&f)
	taken := &pg.InputError{Field: "slug", Message: fmt.Sprintf("%q is the name of another forum", n.Slug)}
	if err := pg.Touched(res, taken); err != nil {
		return f, false, fmt.Errorf("add a forum: %w", err)
	}
	return f, true, nil
}

// sameAs refuses another kind or name for an address that is harvested.
func (n *New) sameAs(f *Forum) error {
	switch {
	case f.Kind != n.Kind:
		return &pg.InputError{Field: "kind", Message: fmt.Sprintf(
			"this address is already harvested as %s, under the name %s", f.Kind, f.Slug)}
	case f.Slug != n.Slug:
		return &pg.InputError{Field: "url", Message: fmt.Sprintf("this address is already harvested, under the name %s", f.Slug)}
	}
	return nil
}

// check checks what somebody gave, and brings the address into its one form.
func (n *New) check(kinds []string) error {
	n.Slug, n.Name = strings.ToLower(strings.TrimSpace(n.Slug)), strings.TrimSpace(pg.CleanText(n.Name))
	n.URL = strings.TrimSpace(pg.CleanText(n.URL))
	if n.Name == "" {
		n.Name = n.Slug
	}
	switch {
	case !forumSlug.MatchString(n.Slug):
		return &pg.InputError{Field: "slug", Message: "must be 1 to 64 lower-case letters, digits and single hyphens, as in votorola-list"}
	case len(n.Name) > 200:
		return &pg.InputError{Field: "name", Message: "is longer than 200 letters"}
	case !slices.Contains(kinds, n.Kind):
		return &pg.InputError{Field: "kind", Message: "must be one of " + strings.Join(kinds, ", ")}
	}
	if err := checkMonth(n.From); err != nil {
		return err
	}
	if n.Kind == KindMbox {
		if n.URL != "" && n.URL != KindMbox+":"+n.Slug {
			return &pg.InputError{Field: "url", Message: "a forum of kind mbox has no address: leave it out and upload files"}
		}
		n.URL = KindMbox + ":" + n.Slug
		return nil
	}
	var ok bool
	if n.URL, ok = plainForumURL(n.URL); !ok {
		return &pg.InputError{Field: "url", Message: "must be an address such as https://lists.example.org/pipermail/news/"}
	}
	return nil
}

// checkMonth checks the oldest month that is wanted of a forum.
func checkMonth(month string) error {
	if _, err := time.Parse("2006-01", month); month != "" && err != nil {
		return &pg.InputError{Field: "from", Message: "must be a month such as 2011-06"}
	}
	return nil
}

// BySlug returns a forum, or ErrNotFound.
func BySlug(ctx context.Context, db *gorm.DB, slug string) (Forum, error) {
	return forumBy(ctx, db, "slug = ?", slug)
}

// ByURL returns the forum of an address, or ErrNotFound.
func ByURL(ctx context.Context, db *gorm.DB, address string) (Forum, error) {
	return forumBy(ctx, db, "url = ?", address)
}

func forumBy(ctx context.Context, db *gorm.DB, which, value string) (Forum, error) {
	f, err := gorm.G[Forum](db).Where(which, value).Take(ctx)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = pg.ErrNotFound
	}
	return f, err
}

// All returns all forums by name.
func All(ctx context.Context, db *gorm.DB) ([]Forum, error) {
	return gorm.G[Forum](db).Order("slug").Find(ctx)
}

// errUploaded refuses to read a forum of files.
var errUploaded = &pg.InputError{Field: "slug", Message: "this forum has no address to update from: its messages are uploaded as files"}

// Kick has a forum read at once: a kicked run is an ordinary one. A burst is without
// gaps; one that comes too soon after another is ordinary, too. again reads finished
// periods once more, and opens a forum that is finished.
func Kick(ctx context.Context, db *gorm.DB, slug string, burst, again bool, now time.Time) (Forum, error) {
	var f Forum
	res := db.WithContext(ctx).Raw(`
		UPDATE forums f SET kicked_at = coalesce(kicked_at, @now), again = again OR @again,
			burst = burst OR @burst AND (burst_at IS NULL OR burst_at <= @since)
		WHERE slug = @slug AND kind <> 'mbox' AND (state = 'open' OR @again AND state = 'finished')
		RETURNING `+pg.Columns[Forum]("f"),
		pg.Named("slug", slug, "now", now, "again", again, "burst", burst, "since", now.Add(-burstEvery))).Scan(&f)
	if res.Error != nil {
		return f, fmt.Errorf("kick %s: %w", slug, res.Error)
	}
	if res.RowsAffected == 0 {
		f, err := BySlug(ctx, db, slug)
		if err == nil && f.Kind == KindMbox {
			err = errUploaded
		} else if err == nil {
			err = &pg.InputError{Field: "state", Message: "this forum is " + f.State + ": open it first"}
		}
		return f, err
	}
	return f, pg.Wake(ctx, db, WakeForums)
}
