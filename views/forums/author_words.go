package forums

import (
	"context"
	"strconv"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

// An Author is a name and an address under which somebody writes.
type Author struct {
	ID            int64
	Member        string // "" is nobody.
	Name, Address string
	Forum         string // "" is in all.
	State         string // said, asked or dismissed.
	AddedBy       string
	Added         time.Time
	DecidedBy     string
}

// words is how somebody writes: "Ada <ada@example.org>".
func (a Author) words() string {
	switch {
	case a.Name == "":
		return a.Address
	case a.Address == "":
		return a.Name
	}
	return a.Name + " <" + a.Address + ">"
}

// where is in which forums.
func (a Author) where(ctx context.Context) string {
	return parts.OrElse(a.Forum, texts.T(ctx, "all forums"))
}

// state is whether it holds.
func (a Author) state(ctx context.Context, now time.Time) string {
	switch a.State {
	case "asked":
		return texts.T(ctx, "waiting for an admin since %s", texts.Day(ctx, a.Added, now))
	case "dismissed":
		return texts.T(ctx, "declined by %s", parts.OrElse(a.DecidedBy, texts.T(ctx, "an admin")))
	}
	return texts.T(ctx, "linked by %s, %s", parts.OrElse(a.AddedBy, texts.T(ctx, "somebody")), texts.Day(ctx, a.Added, now))
}

// OwnNames are the names and addresses under which the viewer writes.
type OwnNames struct {
	Frame   parts.Frame
	Now     time.Time
	Name    string // The viewer's.
	Authors []Author
	Forums  []parts.Choice
	Form    parts.Form
	Admin   bool // The viewer's own word holds at once.
}

// AuthorsAdmin is the admins' page of authors.
type AuthorsAdmin struct {
	Frame       parts.Frame
	Now         time.Time
	Suggestions []SuggestedAuthor
	Said        []Author
	Older       string
	Nobody      []Author
	Forums      []parts.Choice
	Wrong       string // Why the last change was refused.
	Form        parts.Form
}

// A SuggestedAuthor is who may write under a name and an address.
type SuggestedAuthor struct {
	ID       string
	Author   Author
	Reasons  []string
	Messages int
	Asked    bool // The member says so.
}

func authorAct(base string, id int64) string {
	return base + "/" + strconv.FormatInt(id, 10) + "/remove"
}
