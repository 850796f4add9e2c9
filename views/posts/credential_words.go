package posts

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/views/parts"
)

// A Credential is what a network is asked with; its token is not here.
type Credential struct {
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
	Price             int64 // Of a post and UTC day, in thousandths of a dollar; 0 is free.
	Used              time.Time
}

// A Network is what the form must know of a network to add a credential for it.
type Network struct {
	Name, Title string
	HomeServer  string // An example of its servers; "" if it has only one.
	NeedsToken  bool
	TokenHint   string // What a credential is, and how to get one; "" if it is not needed.
	OldAPI      string // An older interface that a credential may choose; "" if there is none.
	Price       int64  // As of Credential.
}

// needed says which networks need a credential.
func (p Admin) needed() string {
	var names []string
	for _, n := range p.Networks {
		if n.NeedsToken {
			names = append(names, n.Title)
		}
	}
	if len(names) == 0 {
		return "None yet, and none is needed."
	}
	return "None yet. Needed for " + strings.Join(names, ", ") + "."
}

// hint joins what say says of each network.
func (p Admin) hint(say func(Network) string) string {
	text := ""
	for _, n := range p.Networks {
		if said := say(n); said != "" {
			text += n.Title + ": " + said + ". "
		}
	}
	return text
}

func (p Admin) tokenHint() string {
	return p.hint(func(n Network) string { return n.TokenHint }) + "Stored encrypted."
}

func (p Admin) serverHint() string {
	return p.hint(func(n Network) string {
		if n.HomeServer == "" {
			return ""
		}
		return "its server, such as " + n.HomeServer
	}) + "Leave empty for networks with one server."
}

func (p Admin) priceHint() string {
	return p.hint(func(n Network) string {
		if n.Price == 0 {
			return ""
		}
		return "$" + strconv.FormatFloat(float64(n.Price)/1000, 'f', -1, 64) + " per post per day"
	}) + "Leave empty for no limit."
}

// chosen is the network that the form shows: the first that needs a credential, if none was chosen.
func (p Admin) chosen() string {
	i := max(0, slices.IndexFunc(p.Networks, func(n Network) bool { return n.NeedsToken }))
	if i >= len(p.Networks) {
		return ""
	}
	return p.Form.Chosen("network", p.Networks[i].Name)
}

func (c Credential) label() string { return parts.Glue(c.Title+" "+c.Name, " at ", c.Host) }

func (c Credential) path(what string) string {
	return "/admin/posts/credentials/" + strconv.FormatInt(c.ID, 10) + "/" + what
}

func (c Credential) id(what string) string { return what + "-" + strconv.FormatInt(c.ID, 10) }

func (c Credential) mood(now time.Time) string {
	switch {
	case c.State == "disabled":
		return parts.Bad
	case c.State != "active", c.Cooldown.After(now), c.spent():
		return parts.Wait
	}
	return parts.Good
}

func (c Credential) spent() bool { return c.Budget != nil && c.Charged >= *c.Budget }

// status says whether a credential may be used, and why not.
func (c Credential) status(now time.Time) string {
	switch {
	case c.State == "disabled":
		return parts.Join("switched off", c.Reason, "save a new token under the same name below")
	case c.State == "paused":
		return parts.Join("paused", c.Reason)
	case c.Cooldown.After(now):
		return parts.Join("cooling down until "+c.Cooldown.In(now.Location()).Format("15:04:05"), c.Reason)
	case c.spent():
		return "this month's budget is used up; raise it or wait for the next month"
	}
	return "in use"
}

// left is what remains of the quota.
func (c Credential) left(now time.Time) string {
	if c.Reset.IsZero() || !c.Reset.After(now) {
		return "all " + parts.Number(c.Quota) + " requests per " + each(c.Window) + " left"
	}
	return parts.Number(c.Remaining) + " of " + parts.Number(c.Quota) + " requests left until " +
		c.Reset.In(now.Location()).Format("15:04:05")
}

// cost is what this month costs so far.
func (c Credential) cost() string {
	posts := parts.Number(int(c.Posts)) + " posts read"
	if c.Price == 0 {
		return posts + ", free"
	}
	return posts + ", " + parts.Number(int(c.Charged)) + " paid for: " + dollars(c.Charged*c.Price)
}

// dollars writes thousandths.
func dollars(thousandths int64) string {
	cents := (thousandths + 5) / 10
	text := strconv.FormatInt(cents%100+100, 10)[1:]
	return "$" + parts.Number(int(cents/100)) + "." + text
}

// budget says how much of the budget is used.
func (c Credential) budget() string {
	if c.Budget == nil {
		return "no budget set"
	}
	return parts.Percent(int(c.Charged), int(*c.Budget)) + " of " + parts.Number(int(*c.Budget)) + " posts a month"
}
