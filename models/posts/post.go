package posts

import (
	"fmt"
	"time"
)

// States of a post.
const (
	PostActive    = "active"
	PostFinished  = "finished"  // As old as the last tier: its numbers stay as they are.
	PostGone      = "gone"      // Not there any more.
	PostProtected = "protected" // There, and not for us.
	PostInvalid   = "invalid"   // No id of its network.
	PostPaused    = "paused"
)

// Numbers are a post's numbers; nil is a number that its network did not give.
type Numbers struct {
	Likes     *int64 `json:"likes,omitempty"`
	Reposts   *int64 `json:"reposts,omitempty"`
	Replies   *int64 `json:"replies,omitempty"`
	Quotes    *int64 `json:"quotes,omitempty"`
	Bookmarks *int64 `json:"bookmarks,omitempty"`
	Views     *int64 `json:"views,omitempty"`
}

func (n *Numbers) all() [6]*int64 {
	return [6]*int64{n.Likes, n.Reposts, n.Replies, n.Quotes, n.Bookmarks, n.Views}
}

// same reports whether two fetches gave the same.
func (n *Numbers) same(o *Numbers) bool {
	a, b := n.all(), o.all()
	for i := range a {
		if (a[i] == nil) != (b[i] == nil) || a[i] != nil && *a[i] != *b[i] {
			return false
		}
	}
	return true
}

// A Key names a post.
type Key struct {
	Network    string
	Host       string // "" where the network is one place.
	ExternalID string
}

func (k Key) String() string {
	if k.Host != "" {
		return fmt.Sprintf("%s/%s/%s", k.Network, k.Host, k.ExternalID)
	}
	return k.Network + "/" + k.ExternalID
}

// A Post is one of a network, with what was last seen of it.
type Post struct {
	ID int64
	Key
	MemberID           *int64
	URL, Author, Text  string
	RepostOf           *string
	CreatedAt, AddedAt time.Time
	Numbers            `gorm:"embedded"`
	MetricsAt          *time.Time
	ChargedOn          *time.Time
	State              string
	NextUpdateAt       *time.Time
	LeasedUntil        *time.Time
	RequestedAt        *time.Time
	Fetches            int
	FetchedAt          *time.Time
	Attempts           int
	MissingCount       int
	MissingSince       *time.Time
	LastError          string
}

// A Pool is the posts of one host of a network: they share requests.
type Pool struct{ Network, Host string }

func (p Pool) String() string {
	if p.Host != "" {
		return p.Network + " at " + p.Host
	}
	return p.Network
}
