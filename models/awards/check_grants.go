package awards

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// What is held rests on the log of grants, which is only ever appended to. A grant that says something else than
// its lines was changed by somebody else, or its lines were.

// checkAuthor stands in the log where it lost who did something by hand.
const checkAuthor = "laurel awards check"

// A loggedGrant is a grant with what the log and its badge say of it.
type loggedGrant struct {
	AwardGrant
	Slug        string
	Gives, Lost int  // Lines that give it; lines of which only a badge still knows.
	Touched     bool // Somebody gave, kept or took it by hand.
	FirstWhat   string
	FirstAuthor string
	FirstAt     *time.Time
	Giver       string // Of the last line that gives it.

	LastID                           int64
	LastWhat, LastReason, LastAuthor string
	LastAt                           *time.Time
	BadgeVersion                     int // 0: none is known.
}

// A repair is what a grant and its log should be.
type repair struct {
	AwardGrant
	add    *grantLine // A line that the log lost.
	remove int64      // A line that nobody can have written.
	forged bool       // Nobody gave it and nobody won it.
}

type grantLine struct {
	at                   time.Time
	what, reason, author string
}

func loggedGrants(ctx context.Context, tx *gorm.DB, after, last int64) (list []loggedGrant, err error) {
	err = tx.WithContext(ctx).Raw(queries.Must("logged_grants"), pg.Named("after", after, "last", last)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("grants and their log: %w", err)
	}
	return list, nil
}

// byHand says whether the grant is somebody's gift, or was locked by hand: it is never taken away for want of a line.
func (g *loggedGrant) byHand() bool { return g.GivenBy != "" || g.Locked }

// repair works out what the grant should be. Where it cannot be told which of two was changed, the log
// is believed, but for what would take a gift.
func (g *loggedGrant) repair() repair {
	r := repair{AwardGrant: g.AwardGrant}
	switch {
	case g.Gives > 0:
	case g.byHand():
		r.Locked = true
		r.add = &grantLine{g.FoundAt, "granted", "check: the log of grants did not know it", cmp.Or(g.GivenBy, checkAuthor)}
		return r
	default:
		r.forged = g.RevokedAt == nil
		return r
	}
	r.Locked, r.GivenBy = g.Touched, g.Giver
	if g.FirstWhat == "granted" {
		r.FoundAt = *g.FirstAt
		if g.FirstAuthor != "" {
			r.GrantedAt = *g.FirstAt
		}
	}
	if g.BadgeVersion != 0 {
		r.AwardVersion = g.BadgeVersion
	}
	g.repairEnd(&r)
	return r
}

// repairEnd works out whether the grant is held.
func (g *loggedGrant) repairEnd(r *repair) {
	switch taken := g.LastWhat == "revoked"; {
	case taken && g.RevokedAt == nil && g.Touched && g.LastAuthor == "": // The rules take nothing that was given by hand.
		r.remove = g.LastID
	case taken:
		r.RevokedAt, r.RevokedReason = g.LastAt, g.LastReason
	case g.RevokedAt != nil && g.RevokedReason != "": // Why it was taken is not made up: the log lost it.
		r.add = &grantLine{*g.RevokedAt, "revoked", g.RevokedReason, ""}
		if g.Locked {
			r.add.author, r.Locked = checkAuthor, true
		}
	default:
		r.RevokedAt, r.RevokedReason = nil, ""
	}
}

// compareRecords compares grants with the log of grants. From then on they are taken for what they should be.
func (k *checker) compareRecords(ctx context.Context, tx *gorm.DB) error {
	list, err := loggedGrants(ctx, tx, k.after, k.LastMember)
	if err != nil {
		return err
	}
	for i := range list {
		g := &list[i]
		if k.busy[g.MemberID] {
			continue
		}
		r := g.repair()
		k.compareRecord(g, &r)
		if k.s.awards[g.AwardID] == nil || r.forged {
			continue
		}
		key := pendingKey{g.AwardID, g.MemberID, g.Period}
		if k.grants[key] == nil {
			k.grants[key] = map[int]*AwardGrant{}
		}
		k.grants[key][g.Level] = &r.AwardGrant
	}
	return nil
}

// compareRecord compares one grant with what it should be.
func (k *checker) compareRecord(g *loggedGrant, r *repair) {
	of := fmt.Sprint("level ", g.Level, " of award ", g.Slug, spaced(g.Period))
	if r.forged {
		k.take(g.MemberID, of, "held", "not there: the log of grants does not know it")
		return
	}
	if g.Lost > 0 {
		k.differ(g.MemberID, "log of "+of, fmt.Sprint(g.Lost, " lines are missing"), "as its badges say")
	}
	if r.add != nil {
		k.differ(g.MemberID, "log of "+of, "without the line "+r.add.what, r.add.what+" at "+stamped(&r.add.at))
	}
	if r.remove != 0 {
		k.differ(g.MemberID, "log of "+of, "revoked by the rules, which take nothing given by hand", "without that line")
	}
	for _, d := range []struct {
		what, is, should string
		takes            bool
	}{
		{"end of ", held(&g.AwardGrant), held(&r.AwardGrant), g.RevokedAt == nil && r.RevokedAt != nil},
		{"day on which Laurel found ", stamped(&g.FoundAt), stamped(&r.FoundAt), false},
		{"lock of ", fmt.Sprint(g.Locked), fmt.Sprint(r.Locked), g.Locked && !r.Locked && g.RevokedAt == nil},
		{"giver of ", g.GivenBy, r.GivenBy, false},
		{"version of ", fmt.Sprint(g.AwardVersion), fmt.Sprint(r.AwardVersion), false},
		{"date of ", stamped(&g.GrantedAt), stamped(&r.GrantedAt), false},
	} {
		if d.is != d.should {
			k.Differences = append(k.Differences, Difference{g.MemberID, d.what + of, d.is, d.should, d.takes})
		}
	}
}

func held(g *AwardGrant) string {
	if g.RevokedAt == nil {
		return "held"
	}
	return "taken at " + stamped(g.RevokedAt) + ": " + g.RevokedReason
}

// stamped is exact, so that any other time shows.
func stamped(t *time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999999") }
