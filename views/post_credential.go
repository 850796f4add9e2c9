package views

import (
	"strconv"
	"time"
)

// A PostCredential is what a network is asked with; its token is not here.
type PostCredential struct {
	ID                int64
	Title, Host, Name string
	Anybody           bool // Has no token.
	Legacy            bool
	State, Reason     string
	Cooldown, Reset   time.Time
	Remaining, Quota  int
	Window            time.Duration
	Requests, Posts   int64 // Of this UTC month.
	Charged, Today    int64 // Posts that were paid for, this month and this UTC day.
	Budget            *int64
	Paid              bool // The network wants money.
	Used              time.Time
}

// postPrice is what X wants for a post and UTC day, in thousandths of a dollar.
const postPrice = 5

func (c PostCredential) label() string { return glue(c.Title+" "+c.Name, " at ", c.Host) }

func (c PostCredential) path(what string) string {
	return "/admin/posts/credentials/" + strconv.FormatInt(c.ID, 10) + "/" + what
}

func (c PostCredential) id(what string) string { return what + "-" + strconv.FormatInt(c.ID, 10) }

func (c PostCredential) mood(now time.Time) string {
	switch {
	case c.State == "disabled":
		return bad
	case c.State != "active", c.Cooldown.After(now), c.spent():
		return wait
	}
	return good
}

func (c PostCredential) spent() bool { return c.Budget != nil && c.Charged >= *c.Budget }

// status says whether a credential may be used, and why not.
func (c PostCredential) status(now time.Time) string {
	switch {
	case c.State == "disabled":
		return join("switched off", c.Reason, "save a new token under the same name below")
	case c.State == "paused":
		return join("paused", c.Reason)
	case c.Cooldown.After(now):
		return join("cooling down until "+c.Cooldown.In(now.Location()).Format("15:04:05"), c.Reason)
	case c.spent():
		return "this month's budget is used up; raise it or wait for the next month"
	}
	return "in use"
}

// left is what remains of the quota.
func (c PostCredential) left(now time.Time) string {
	if c.Reset.IsZero() || !c.Reset.After(now) {
		return "all " + Number(c.Quota) + " requests per " + each(c.Window) + " left"
	}
	return Number(c.Remaining) + " of " + Number(c.Quota) + " requests left until " + c.Reset.In(now.Location()).Format("15:04:05")
}

// cost is what this month costs so far.
func (c PostCredential) cost() string {
	posts := Number(int(c.Posts)) + " posts read"
	if !c.Paid {
		return posts + ", free"
	}
	return posts + ", " + Number(int(c.Charged)) + " paid for: " + dollars(c.Charged*postPrice)
}

// dollars writes thousandths.
func dollars(thousandths int64) string {
	cents := (thousandths + 5) / 10
	text := strconv.FormatInt(cents%100+100, 10)[1:]
	return "$" + Number(int(cents/100)) + "." + text
}

// budget says how much of the budget is used.
func (c PostCredential) budget() string {
	if c.Budget == nil {
		return "no budget set"
	}
	return percent(int(c.Charged), int(*c.Budget)) + " of " + Number(int(*c.Budget)) + " posts a month"
}
