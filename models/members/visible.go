package members

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Viewer is who asks, as the SQL function visible_to takes it: the id of a member who
// signed in, or one of these.
type Viewer int64

const (
	Visitor    Viewer = 0  // Nobody knows who.
	Everything Viewer = -1 // Sees all: an admin, and the program itself.
)

// Whom a member lets see them.
const (
	SeenByEveryone = "everyone"
	SeenByMembers  = "members" // Those who signed in.
	SeenBySelf     = "self"    // And admins.
)

// Audiences of a member, as the column has them.
const (
	AudienceEveryone = 0
	AudienceMembers  = 1
	AudienceSelf     = 2
)

// ViewerOf is a member, or nil for a visitor, as who asks.
func ViewerOf(m *Member) Viewer {
	switch {
	case m == nil:
		return Visitor
	case m.Role == RoleAdmin:
		return Everything
	}
	return Viewer(m.ID)
}

// Sees is visible_to for one whose row was read already.
func (v Viewer) Sees(member int64, audience int) bool {
	return v < 0 || audience == AudienceEveryone || audience == AudienceMembers && v > 0 || member == int64(v)
}

type viewerKey struct{}

// As is a context in which all reads are those of a viewer. Every request has one; without
// one the program asks for itself (a job, a command) and sees all.
func As(ctx context.Context, v Viewer) context.Context { return context.WithValue(ctx, viewerKey{}, v) }

// Asking is who asks in a context: the parameter viewer of statements.
func Asking(ctx context.Context) Viewer {
	if v, ok := ctx.Value(viewerKey{}).(Viewer); ok {
		return v
	}
	return Everything
}

// Visible is the clause of who may see whom for GORM's own queries: scope it onto a query
// that reads members, or a table of that alias.
//
// Statements write it themselves, with Asking(ctx) as their parameter viewer:
//
//	visible_to(@viewer, m.id, m.audience)
func Visible(ctx context.Context, alias string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		return q.Where("visible_to(@viewer, "+alias+".id, "+alias+".audience)", pg.Named("viewer", Asking(ctx)))
	}
}

// SetVisibility stores whom a member lets see them, and whether they are in rankings.
func SetVisibility(ctx context.Context, db *gorm.DB, id int64, seenBy string, offBoards bool) error {
	switch seenBy {
	case SeenByEveryone, SeenByMembers, SeenBySelf:
	default:
		return &pg.InputError{Field: "seen_by",
			Message: "choose who can see you: everyone, people who are signed in, or only you and admins"}
	}
	err := db.WithContext(ctx).Exec(`UPDATE members SET seen_by = @seen_by, off_boards = @off WHERE id = @id`,
		pg.Named("seen_by", seenBy, "off", offBoards, "id", id)).Error
	if err != nil {
		return fmt.Errorf("visibility of member %d: %w", id, err)
	}
	return nil
}
