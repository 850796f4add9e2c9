// Package networks reads post networks, one file each.
//
// A network is given a Getter and knows only addresses and formats: it makes no
// HTTP client, never sleeps, never sees the database and does not know what time
// it is. The rule that holds everywhere in it: a post counts as missing only
// where the network has said so in its own format. An answer that says anything
// else is a Refusal, and then nobody of the batch was seen. And what a network
// did not give is absent, never 0.
package networks

import (
	"context"
	"errors"
	"time"

	"laurel/jobs/registry"
)

// A Getter makes one GET request with the token as bearer, without one where it
// is "". It returns an error only where there was no answer at all: every status
// comes back, and redirects are its own affair.
type Getter interface {
	Get(ctx context.Context, address, token string) (Answer, error)
}

// An Answer is what came back, whatever its status. Header may be nil.
type Answer struct {
	Status int
	Header func(name string) string
	Body   []byte
}

// Info is what must be known of a network without asking it.
type Info struct {
	Name       string        // In code, settings and addresses: bluesky.
	Title      string        // On pages: Bluesky.
	Home       string        // https://bsky.app
	Batch      int           // How many posts one request may name.
	NeedsToken bool          // It answers nothing without a credential.
	Gap        time.Duration // Between two requests to one host without a credential.
	Requests   int           // The quota of a credential until headers tell: so many
	Window     time.Duration // in so long.
	// Price is what each post costs in thousandths of a dollar, once in a UTC day; 0 if reading is free.
	Price int64
	// TokenHint says what a credential is and how to get one.
	TokenHint string
	// OldAPI names an older interface that a credential may choose, and FieldsParameter the
	// parameter that a credential may rename; "" if the network has none.
	OldAPI, FieldsParameter string
	// HomeServer is the one that a bare id means, of a network of many servers; "" for one that is one.
	HomeServer string
}

// A Credential is whom we ask as, and where.
type Credential struct {
	Token  string
	Host   string // "" for the network's own; Mastodon has none of its own and needs one.
	Legacy bool   // Use Info.OldAPI.
	Fields string // Replaces Info.FieldsParameter; "" keeps it.
}

// A Ref names a post.
type Ref struct {
	Network string
	Host    string // "" for X and Bluesky. The instance for Mastodon, "" where a bare number was given.
	ID      string // Digits; an at:// URI for Bluesky.
}

// A Post is what a network says of one post in one answer. Counts are nil where it
// gave none.
type Post struct {
	// ID and Host name the post at home, like a Ref. On Mastodon home may be
	// another instance than the one asked, which sees only a part of the numbers:
	// then they differ from what was asked, and home is where to ask next.
	ID, Host string
	// Author is the handle, "" if the answer does not show it. AuthorKey is what
	// Author.Account returns for it; "" if the answer does not show it.
	Author, AuthorKey string
	Text              string // Plain, at most 500 runes.
	URL               string
	CreatedAt         time.Time // Zero where nothing says so. Where authors may write what they like, compared with IndexedAt (see Born).
	IndexedAt         time.Time // When the network first saw it; zero where it does not tell.
	RepostOf          string    // The id of the post that this one merely repeats.
	Original          *Post     // That post, where the same answer shows it: a repost's own numbers stay 0 or borrow the original's.

	Likes, Reposts, Replies, Quotes, Bookmarks, Views *int64
}

// Reasons for which a post is missing.
const (
	Absent    = "absent"    // Left out of an answer that shows others.
	NotFound  = "not_found" // The network says there is none, deleted or never written.
	Protected = "protected" // It is there and not for us.
	Suspended = "suspended" // Its author is.
	Withheld  = "withheld"  // Taken out of sight by the network or a law.
	Invalid   = "invalid"   // Not an id. The network was not asked for it, or said so.
	Unsaid    = "unsaid"    // The network failed for this one alone. No proof of anything: ask again.
)

// Fetched is the outcome of one call: every id asked for is a key of exactly one
// of the two maps.
type Fetched struct {
	Posts   map[string]Post
	Missing map[string]string // To one of the reasons.
	Quota   Quota
}

// A Quota is what the headers tell of the credential. They tell all or nothing.
type Quota struct {
	Known            bool
	Limit, Remaining int
	Reset            time.Time
}

// A Network is a post network.
type Network interface {
	Info() Info
	// Fetch asks for up to Info().Batch posts of one host with one request, none
	// where no id can be asked for. Its errors are a *Refusal, the Getter's own, or
	// a mistake of the caller.
	Fetch(ctx context.Context, get Getter, c Credential, ids []string) (Fetched, error)
	// Parse recognises an id or a link as a person or the network's API gives it.
	Parse(text string) (Ref, bool)
}

// A Resolver is a network whose links may name a post otherwise than by its id.
type Resolver interface {
	// Resolve returns the id under which the post is stored, asking only where the
	// given one is not it. ErrNoAccount is proof that its author is not there.
	Resolve(ctx context.Context, get Getter, c Credential, id string) (string, error)
}

// A Dater is a network whose ids say when a post was made.
type Dater interface {
	MadeAt(id string) (time.Time, bool)
}

// An Author is a network that lists an account's own posts.
type Author interface {
	// Account returns the network's own key of a handle. ErrNoAccount is proof that there is none.
	Account(ctx context.Context, get Getter, c Credential, handle string) (string, error)
	// Newer returns the account's posts newer than sinceID, newest first; with ""
	// the newest page of them. It asks for a bounded number of pages: where that
	// was not enough it returns what it has together with ErrMore.
	Newer(ctx context.Context, get Getter, c Credential, key, sinceID string) ([]Post, error)
}

var (
	// ErrNoAccount is positive proof that the handle does not exist.
	ErrNoAccount = errors.New("no such account")
	// ErrMore comes with posts: older ones that are not known yet are left.
	ErrMore = errors.New("there are more posts than one call reads")
)

var registered = registry.New("post network", func(n Network) string { return n.Info().Name })

func register(n Network) { registered.Add(n) }

// All returns every network by name.
func All() []Network { return registered.All() }

// ByName returns a network, or false.
func ByName(name string) (Network, bool) { return registered.ByName(name) }
