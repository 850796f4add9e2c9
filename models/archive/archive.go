// Package archive keeps all that was ever seen of the outside world, with the
// evidence, so that any page can be shown as it was.
//
// A shard is a group of fields that change together: a declaration from which a
// table, its indexes, its upsert and its reads follow. A response is what one
// retrieval of one address showed: facts for some shards at one instant.
//
// The rows of a shard are the fold of its observations in the order of their
// instants, in whatever order they arrive:
//
//   - unchanged: the open row of the same key and data is seen once more;
//   - fresh: a row opens, and every open row that it contradicts by any unique
//     key ends: changed where the key is the same, displaced where another key
//     took the unique value. NULL in a unique key contradicts nothing;
//   - a response that is complete for a scope ends what it no longer shows there
//     as removed, or as source gone where the source itself is no more;
//   - two facts that contradict each other in one response: the response is
//     refused and kept, and nothing else is hurt;
//   - two responses of one instant that contradict each other: a fact gives way
//     to that of the response whose content hash is lower, and is set aside. Of one
//     page the second is refused instead, unless it supersedes the first;
//   - a response that was superseded or retracted is not believed any more. It stays in
//     the log, and what it showed is set aside, so that what was believed at any
//     time can be read.
//
// A row is valid in [from, until) and was certainly true only at its retrieval
// instants, the first of which is from. Those are not stored with it: a row
// names the responses that listed it, and a response that showed the same as
// before is one row of the log that names the earlier one.
//
// shards.Fold is this definition as a function. Store is the same by set-based
// statements, and the tests hold one against the other.
package archive

import (
	"embed"
	"time"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// queries are the statements in sql/. Those of one shard are made in sql.go: they name
// its table and its fields.
var queries = sqlfile.Read(files)

// A Response is what one retrieval of one address showed.
type Response struct {
	Source  string    // Who answered, e.g. codeforces.
	Address string    // What was asked.
	Viewer  string    // As whom; "" is a guest.
	At      time.Time // When. Microseconds count.
	Shards  map[string][]shards.Row
	// Complete holds, by shard, the values of the scopes of which this response
	// shows every row. A shard without scope fields has one scope, Row{}.
	Complete map[string][]shards.Row
	Gone     bool // The source is no more: what the complete scopes end ends as source gone.
	// Own are Laurel's own figures: what is stored later is later, whatever the
	// clock says, so At may move behind the page's newest retrieval.
	Own bool
	// Supersedes is a response of the same page that this one says better: it is withdrawn.
	Supersedes int64
	// Clock, where it is set, gives At again where something of the same groups turns out
	// to be as new when nothing more can come before this response. So those who store
	// at the same time do the rest of their work at the same time, and none is late.
	Clock func() time.Time `json:"-"`
	// Outcome is "" where the retrieval went well, and else what it ended with: then
	// there are no facts, and Message says why.
	Outcome, Message string
}

// A Result says what a response changed.
type Result struct {
	Retrieval int64 // In the log.
	Inserted  int
	Confirmed int
	Ended     int
	Yielded   int  // Gave way to another response of the same instant.
	Unchanged bool // The address showed the same as before: the log's row says it all.
	Replayed  bool // This very response was stored before.
	// Contradiction is why the response was refused; it is in the log then.
	Contradiction string
	// SetAside is what no row says any more, or yet: of this response what gave way to others of its
	// instant, and of others what gave way to it or was superseded.
	SetAside []SetAside
	back     []asideName // What was set aside before, and is said by a row again.
}

// Outcomes in the log; failures bring their own words.
const (
	OutcomeOK      = "ok"
	OutcomeRefused = "refused"
)

// ErrNoShard is wrapped where a shard of that name does not exist.
var ErrNoShard = &pg.Error{Code: pg.CodeNotFound, Message: "no such shard. /api/v1/archive lists all shards."}
