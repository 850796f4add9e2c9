package pushes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A Rejected line was not stored.
type Rejected struct {
	Line  int    `json:"line"` // From 1.
	Error string `json:"error"`
}

// A Result says what became of every line.
type Result struct {
	Accepted  int        `json:"accepted"`  // New.
	Duplicate int        `json:"duplicate"` // There already, or shown by the site itself.
	Changed   int        `json:"changed"`
	Rejected  []Rejected `json:"rejected"` // Never null.
}

// With adds lines that could not be read.
func (r Result) With(unread []Rejected) Result {
	r.Rejected = slices.Concat(r.Rejected, unread)
	slices.SortStableFunc(r.Rejected, func(a, b Rejected) int { return a.Line - b.Line })
	if r.Rejected == nil {
		r.Rejected = []Rejected{}
	}
	return r
}

// A Push is what a member brings at once.
type Push struct {
	MemberID int64
	Sites    []members.Site
	Handle   string // For accounts that are not there yet; "" is the member's name on outside sites.
	Rows     []Row
}

// Limit is how often one member may push.
var Limit = pg.Limit{Burst: 60, Per: time.Minute}

// Store stores what a member brings, each site in a transaction of its own. Storing it again
// changes nothing.
func Store(ctx context.Context, db *gorm.DB, p Push, now time.Time) (Result, error) {
	var sum Result
	bySite := map[string][]Row{}
	for _, r := range p.Rows {
		bySite[r.Site] = append(bySite[r.Site], r)
	}
	for _, site := range slices.Sorted(maps.Keys(bySite)) {
		p.Rows = bySite[site]
		r, err := p.storeSite(ctx, db, site, now)
		if err != nil {
			return sum, fmt.Errorf("push of member %d to %s: %w", p.MemberID, site, err)
		}
		sum.Accepted, sum.Duplicate, sum.Changed = sum.Accepted+r.Accepted, sum.Duplicate+r.Duplicate, sum.Changed+r.Changed
		sum.Rejected = append(sum.Rejected, r.Rejected...)
	}
	return sum.With(nil), nil
}

// errDry rolls a dry run back.
var errDry = errors.New("dry run")

// DryRun says what Store would do, and changes nothing.
func DryRun(ctx context.Context, db *gorm.DB, p Push, now time.Time) (r Result, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var err error
		if r, err = Store(ctx, tx, p, now); err != nil {
			return err
		}
		return errDry
	})
	if errors.Is(err, errDry) {
		err = nil
	}
	return r, err
}

// storeSite stores rows of one site. Locks are taken in the order of fetches: the member, the
// problems, the submissions, the sums. The schedule is not touched, so no fetch waits.
func (p *Push) storeSite(ctx context.Context, db *gorm.DB, site string, now time.Time) (r Result, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, p.MemberID)
		if err != nil {
			return err
		}
		a, refusal, err := p.account(ctx, tx, &m, site, now)
		if err != nil || refusal != "" {
			r = refuse(p.Rows, refusal)
			return err
		}
		rows := newest(p.Rows)
		text, err := submissions.Encode(rows)
		if err != nil {
			return err
		}
		of := submissions.Origin{AccountID: a.ID, MemberID: m.ID, Site: site, Source: submissions.SourceMember}
		if err := submissions.StoreProblems(ctx, tx, of, text); err != nil {
			return err
		}
		stored, err := submissions.Store(ctx, tx, of, text, now)
		if err != nil {
			return err
		}
		r.Accepted, r.Changed = stored.Inserted, stored.Revised
		r.Duplicate = len(p.Rows) - r.Accepted - r.Changed
		if err := tx.Exec(`UPDATE accounts SET pushed_at = greatest(pushed_at, @now) WHERE id = @id`,
			pg.Named("id", a.ID, "now", now)).Error; err != nil || stored.Inserted+stored.Revised == 0 {
			return err
		}
		return count(ctx, tx, &m, &a, stored.First, now)
	})
	return r, err
}

// count brings sums and archive up to the rows.
func count(ctx context.Context, tx *gorm.DB, m *members.Member, a *members.Account, from *time.Time, now time.Time) error {
	if err := submissions.Remeasure(ctx, tx, a); err != nil {
		return err
	}
	if err := submissions.RefreshSums(ctx, tx, m, a.ID, from, now); err != nil {
		return err
	}
	return history.RecordCounts(ctx, tx, m, a, now)
}

// refuse rejects all rows for one reason.
func refuse(rows []Row, reason string) (r Result) {
	for _, row := range rows {
		r.Rejected = append(r.Rejected, Rejected{row.Line, reason})
	}
	return r
}

// newest leaves the last row of each id: of two in one push, the later one holds.
func newest(rows []Row) []submissions.Found {
	at := map[string]int{}
	var list []submissions.Found
	for _, r := range rows {
		if i, twice := at[r.ID]; twice {
			list[i] = r.Found
			continue
		}
		at[r.ID] = len(list)
		list = append(list, r.Found)
	}
	return list
}

// account returns the member's account on a site, which the first push makes, or why there is none.
//
// On a site that Laurel reads, the handle is what it will fetch, so it is never guessed.
func (p *Push) account(ctx context.Context, tx *gorm.DB, m *members.Member, name string, now time.Time) (
	a members.Account, refusal string, err error) {
	site, err := members.SiteNamed(p.Sites, name, "site")
	if err != nil {
		return a, err.Error(), nil
	}
	if kept, err := keepSite(ctx, tx, &site); err != nil || !kept {
		return a, "this site was removed", err
	}
	handle := members.HandleIn(p.Sites, name, p.Handle)
	found, err := gorm.G[members.Account](tx).Where("member_id = ? AND site = ?", m.ID, name).Find(ctx)
	switch {
	case err != nil:
		return a, "", fmt.Errorf("account on %s: %w", name, err)
	case len(found) == 1 && meant(&found[0], handle):
		return found[0], "", nil
	case len(found) == 1:
		return a, fmt.Sprintf("the account on %s is %s, not %.64s; change the handle in the settings first", site.Title, found[0].Handle,
			handle), nil
	case handle == "" && !site.Outside:
		return a, fmt.Sprintf("there is no account on %s yet; add the handle in the settings, or send it as ?handle=", site.Title), nil
	case handle == "":
		handle = m.Name
	}
	if err := members.CheckHandle(p.Sites, name, handle); err != nil {
		return a, err.Error() + "; send another one as ?handle=", nil
	}
	if _, err := members.CreateAccounts(ctx, tx, []members.NewAccount{{MemberID: m.ID, Site: name, Handle: handle}}, now); err != nil {
		return a, "", err
	}
	a, err = gorm.G[members.Account](tx).Where("member_id = ? AND site = ?", m.ID, name).Take(ctx)
	return a, "", err
}

// keepSite says whether a site is still there, and keeps it until the rows are stored: an admin may
// remove a declared one meanwhile.
func keepSite(ctx context.Context, tx *gorm.DB, site *members.Site) (bool, error) {
	if !site.Outside && site.Kind == "" {
		return true, nil
	}
	var known string
	err := tx.WithContext(ctx).Raw(`SELECT name FROM outside_sites WHERE name = @name FOR KEY SHARE`, pg.Named("name", site.Name)).
		Scan(&known).Error
	return known != "", err
}

// meant says whether a push with this handle, or with none, is for the account. Files from before
// the account was renamed have its former handle.
func meant(a *members.Account, handle string) bool {
	return handle == "" || strings.EqualFold(handle, a.Handle) || strings.EqualFold(handle, a.FormerHandle)
}
