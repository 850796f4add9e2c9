package members

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// States of an account.
const (
	StateNew     = "new"     // Never read to the end yet.
	StateActive  = "active"  // Read to the end at least once.
	StateInvalid = "invalid" // The site has no such handle, proved twice.
	StatePaused  = "paused"  // Nobody looks until it is resumed.
)

// An Account is a member's handle on a site. The row is its own job.
type Account struct {
	ID              int64
	MemberID        int64
	Site            string
	Handle          string
	FormerHandle    string // Before the site renamed it; "" where it never did.
	RenamedAt       *time.Time
	SiteKey         string // The site's own number for the handle, once known.
	State           string
	Outcome         string // Of the last attempt; "" before the first.
	Message         string // Why, in words for the profile.
	Delay           int    // Empty complete retrievals in a row.
	Failures        int    // In a row.
	FailingSince    *time.Time
	NotFound        int // Proofs of absence in a row.
	CoveredAt       *time.Time
	CoveredID       string
	Place           string     // Where a first reading that was interrupted goes on; "" at the beginning.
	LastRetrievedAt *time.Time // The last complete retrieval.
	LastAttemptAt   *time.Time
	CompleteUntil   *time.Time
	Missing         int        // Submissions that the site counts and does not list.
	MissingFrom     *time.Time // The first and the last day of UTC that lack some;
	MissingUntil    *time.Time // nil where they are older than the days that the site counts.
	DueAt           time.Time
	Reason          string     // Why then.
	RequestedAt     *time.Time // Set by the button until answered.
	StartedAt       *time.Time
	LeaseID         string
	LeasedUntil     *time.Time
	Page            int
	NewRows         int // Inserted since the last complete retrieval.
	LastNew         int // Inserted by the last complete retrieval.
	DirtyFrom       *time.Time
	RatingsAt       *time.Time
	ProfileAt       *time.Time
	Submissions     int
	Accepted        int
	Solved          int
	Statuses        json.RawMessage `gorm:"type:jsonb;default:'{}'"`
	NewestAt        *time.Time
	OpenAt          *time.Time // Until then verdicts may change.
	ProbedAt        time.Time  // When the account was last asked about together with others, or may be next as if it had been.
	UsualHour       *int       // Of UTC, after which its days are usually over; nil: not known.
	CreatedAt       time.Time
}

// AccountsOf returns the accounts of members by site name.
func AccountsOf(ctx context.Context, db *gorm.DB, members ...int64) ([]Account, error) {
	as, err := gorm.G[Account](db).Where("member_id IN ?", members).Order("site, member_id").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("accounts of members %d: %w", members, err)
	}
	return as, nil
}

// KnownUntil is how far the account is known where what is missing is forgotten:
// there may be a gap before.
func (a *Account) KnownUntil() time.Time {
	if a.Missing == 0 && a.CompleteUntil != nil {
		return *a.CompleteUntil
	}
	return *a.LastRetrievedAt // Read to the end once, or nobody asks.
}

// NextDueAt is when the next look is due: at once where the button asked for
// one. Nil where nobody will look.
func (a *Account) NextDueAt() *time.Time {
	switch {
	case a.State == StatePaused:
		return nil
	case a.RequestedAt != nil && a.RequestedAt.Before(a.DueAt):
		return a.RequestedAt
	}
	return &a.DueAt
}

// Failing says that the last attempt gave no answer to rely on; an account that
// is proved not to exist is not failing, it is invalid.
func (a *Account) Failing() bool {
	return a.Outcome != "" && a.Outcome != pg.OutcomeOK && a.State != StateInvalid
}

// Leased says whether somebody is looking right now.
func (a *Account) Leased(now time.Time) bool {
	return a.LeasedUntil != nil && a.LeasedUntil.After(now)
}

func (a *Account) String() string { return fmt.Sprintf("%s on %s", a.Handle, a.Site) }
