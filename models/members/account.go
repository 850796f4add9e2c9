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
	StatePaused  = "paused"  // Not fetched until it is resumed; on an outside site, for good.
)

// An Account is a member's handle on a site. It is four rows, one of each table
// account_..., and read from the view account_details.
type Account struct {
	ID           int64
	MemberID     int64
	Site         string
	Handle       string
	SiteKey      string // The site's own number for the handle, once known.
	FormerHandle string // Before the site renamed it; "" where it never did.
	RenamedAt    *time.Time
	CreatedAt    time.Time
	PushedAt     *time.Time // When its member last pushed submissions.
	ProvedAt     *time.Time // When its member proved that the handle is theirs; nil: they did not.
	Schedule
	Coverage
	Stats
}

// TableName is the view that accounts are read from.
func (Account) TableName() string { return "account_details" }

// A Schedule says when an account is fetched next, who fetches it now, and how the last
// attempt ended.
type Schedule struct {
	State           string
	DueAt           time.Time
	Reason          string     // Why then.
	Delay           int        // Empty complete retrievals in a row.
	UsualHour       *int       // Of UTC, after which its days are usually over; nil: not known.
	RequestedAt     *time.Time // Set by the button until answered.
	CheckedAt       time.Time  // When a bulk check was about the account, or counts as if it had been.
	Outcome         string     // Of the last attempt; "" before the first.
	Message         string     // Why, as text for the profile.
	Failures        int        // In a row.
	FailingSince    *time.Time
	NotFound        int // Proofs of absence in a row.
	LastAttemptAt   *time.Time
	LastRetrievedAt *time.Time // The last complete retrieval.
	LeaseID         string
	LeasedUntil     *time.Time
	StartedAt       *time.Time
	Page            int
	AuditDueAt      *time.Time // When it is read whole again, as far as requests allow.
	AuditAt         *time.Time // It is being read whole since then, or is to be; nil: it is not.
	AuditedAt       *time.Time // Checked through: when the last whole reading began.
	AuditRequests   int        // Those of the newest whole reading, so far.
	AuditedFrom     *time.Time // Of rows made before it that reading saw only what the site counts; nil: it saw all.
}

// A Coverage says how much of an account is stored.
type Coverage struct {
	CoveredAt     *time.Time
	CoveredID     string
	Cursor        string // Where an interrupted first fetch goes on; "" at the beginning.
	CompleteUntil *time.Time
	Missing       int        // Submissions that the site counts and does not list.
	MissingFrom   *time.Time // The first and the last day of UTC that lack some;
	MissingUntil  *time.Time // nil where they are older than the days that the site counts.
	Unread        int        // Rows of its list that could not be read.
	OpenAt        *time.Time // Until then verdicts may change.
	RatingsAt     *time.Time
	ProfileAt     *time.Time

	// What the site counts, nil where it does not; and by how much that was more than what was
	// stored when the last whole reading ended.
	ReportedSolved, ReportedSubmissions *int
	LeftSolved, LeftSubmissions         *int
}

// Stats count an account's submissions.
type Stats struct {
	Submissions int
	Accepted    int
	Solved      int
	Statuses    json.RawMessage `gorm:"type:jsonb;default:'{}'"`
	NewestAt    *time.Time
	PendingFrom *time.Time // Rows from then on are not counted yet.
	NewRows     int        // Inserted since the last complete retrieval.
	LastNew     int        // Inserted by the last complete retrieval.
}

// A NewAccount is an account to create.
type NewAccount struct {
	MemberID int64  `json:"member"`
	Site     string `json:"site"`
	Handle   string `json:"handle"`
}

// CreateAccounts creates those accounts that are not there yet, due at once, and returns
// how many. It is the only place that does.
func CreateAccounts(ctx context.Context, tx *gorm.DB, list []NewAccount, now time.Time) (created int, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		return 0, err
	}
	err = tx.WithContext(ctx).Raw(queries.Must("create_accounts"), pg.Named("rows", string(text), "now", now)).Scan(&created).Error
	if err != nil {
		return 0, fmt.Errorf("create accounts: %w", err)
	}
	return created, nil
}

// AccountsOf returns the accounts of members by site name.
func AccountsOf(ctx context.Context, db *gorm.DB, members ...int64) ([]Account, error) {
	as, err := gorm.G[Account](db).Where("member_id IN ?", members).Order("site, member_id").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("accounts of members %d: %w", members, err)
	}
	return as, nil
}

// AccountsByID returns the accounts with these ids, in their order.
func AccountsByID(ctx context.Context, db *gorm.DB, ids []int64) ([]Account, error) {
	as, err := gorm.G[Account](db).Where("id IN ?", ids).Order("id").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
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

// Undetailed is how many submissions and solved problems the site counts and does not list: as
// refresh_stats.sql has it for all accounts of a member.
func (a *Account) Undetailed() (submitted, solved int) {
	if a.Missing == 0 || a.ReportedSubmissions == nil || a.ReportedSolved == nil {
		return 0, 0
	}
	return max(*a.ReportedSubmissions-a.Submissions, 0), max(*a.ReportedSolved-a.Solved, 0)
}

// NextDueAt is when the next fetch is due: at once where the button asked for
// one. Nil where there will be none.
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

// Leased says whether it is being fetched right now.
func (a *Account) Leased(now time.Time) bool {
	return a.LeasedUntil != nil && a.LeasedUntil.After(now)
}

func (a *Account) String() string { return fmt.Sprintf("%s on %s", a.Handle, a.Site) }
