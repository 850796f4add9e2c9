package sites

import (
	"context"
	"time"
)

// A Streamer is a site that lists what everybody has submitted. One page of it may
// show more than a thousand lists of single accounts.
type Streamer interface {
	Stream() StreamInfo
	// StreamPage reads one page from a place on.
	StreamPage(ctx context.Context, get Getter, from StreamCursor) (StreamPage, error)
}

// StreamInfo is what must be known of a stream without asking the site.
type StreamInfo struct {
	Address string // What the archive calls its pages.
	// Fill is how many new rows a pass should find: a page where it goes on from
	// the place it is given, and half of one where it always shows the newest rows,
	// so that the other half is known.
	Fill int
	// Late says that rows are added behind the place that was reached, so that
	// everything is read again when Info.Overlap has passed.
	Late bool
}

// A StreamCursor is a place in a stream. ID is a row that was read there, so that a
// page without any row is no answer; "" where the stream begins, or begins anew.
type StreamCursor struct {
	At time.Time
	ID string
}

// A StreamRow row is somebody's submission.
type StreamRow struct {
	Handle string
	Submission
}

// A StreamPage is one page of a stream.
type StreamPage struct {
	Rows  []StreamRow // In any order; some may have been on other pages.
	Fresh int         // How many of them lie behind the place that was asked for.
	Next  StreamCursor
	// Until is how far the stream is complete; zero: until the page was asked for.
	Until time.Time
	// Since, where it is not zero, says that nothing is known of the time before
	// it that was not known before this page: coverage begins there.
	Since time.Time
	Full  bool // There is more behind it.
}

// A Calendar is a site that lists its contests.
type Calendar interface {
	// Contests returns contests, coming ones among them, in any order.
	Contests(ctx context.Context, get Getter) ([]Contest, error)
}

// A Contest is one that the site announced.
type Contest struct {
	Key, Name    string
	Begins, Ends time.Time
	Over         bool // Says the site: it may last longer than announced.
}
