package standin

import (
	"strconv"
	"time"
)

// snowflake is how X and Mastodon number posts: the milliseconds since a first
// day, and some bits that tell the posts of one millisecond apart.
type snowflake struct {
	bits  int
	since int64  // The first day, in milliseconds since 1970.
	first uint64 // Lower numbers were given out before the times were in them.
}

func (f snowflake) id(at time.Time, n int) string {
	ms := at.UnixMilli() - f.since + int64(n>>f.bits)
	return strconv.FormatInt(ms<<f.bits|int64(n&(1<<f.bits-1)), 10)
}

func (f snowflake) parse(id string) (stamp, bool) {
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil || n < f.first {
		return stamp{}, false
	}
	return stamp{number: n, ms: int64(n>>f.bits) + f.since, author: int(n & (1<<f.bits - 1))}, true
}
