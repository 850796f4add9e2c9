package harvest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"laurel/jobs/forums"
	"laurel/jobs/polite"
	pg "laurel/models/db"
	requestslots "laurel/models/polite"
)

// robotName is what robots.txt calls us.
const robotName = "Laurel"

// robotsFor is how long a robots.txt that was read holds (RFC 9309, 2.4).
const robotsFor = 24 * time.Hour

// robotsElsewhere is how many other hosts may be asked for a host's robots.txt: it
// is the one page for which we follow there (RFC 9309, 2.3.1.2).
const robotsElsewhere = 5

// robotRules are what a host asks of us. A nil one asks nothing.
type robotRules struct {
	rules *forums.Robots
	none  bool // It could not be read: nothing may be asked for.
}

func (r *robotRules) delay() time.Duration {
	if r == nil || r.none {
		return 0
	}
	return r.rules.CrawlDelay(robotName)
}

// readRobots reads the host's robots.txt, at most once a day for all processes.
// Where there is none all is allowed; where the host does not say, nothing is.
func (h *walker) readRobots(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	host := u.Scheme + "://" + u.Host
	known, err := requestslots.RobotsOf(ctx, h.DB.DB, host, h.Now().Add(-robotsFor))
	if errors.Is(err, pg.ErrNotFound) {
		known, err = h.fetchRobots(ctx, host)
	}
	if err != nil {
		return err
	}
	h.rules = &robotRules{none: known.Verdict == requestslots.RobotsUnreachable}
	switch known.Verdict {
	case requestslots.RobotsUnreachable:
		h.end.Robots = "robots.txt could not be read; no requests are sent until it can"
	case requestslots.RobotsAbsent:
		h.end.Robots = "no robots.txt: everything is allowed"
	default:
		h.rules.rules = forums.ParseRobots([]byte(known.Body))
		h.end.Robots = "robots.txt allows it"
		if d := h.rules.delay(); d > h.Forum.Gap() {
			h.end.Robots = fmt.Sprintf("robots.txt allows it, with %s between two requests", d)
		}
	}
	return h.allowed(address)
}

func (h *walker) fetchRobots(ctx context.Context, host string) (requestslots.Robots, error) {
	known := requestslots.Robots{Host: host, Verdict: requestslots.RobotsRead, FetchedAt: h.Now()}
	h.Run.Requests++
	page, err := h.Client.Get(ctx, polite.Request{Address: host + "/robots.txt", Source: h.source, Gap: h.Forum.Gap()})
	e, outside := errors.AsType[*polite.Error](err)
	for range robotsElsewhere {
		if !outside || e.Location == "" {
			break
		}
		h.Run.Requests++
		page, err = h.Client.Get(ctx, polite.Request{Address: e.Location, Source: h.source, Gap: h.Forum.Gap()})
		e, outside = errors.AsType[*polite.Error](err)
	}
	switch {
	case outside && e.Status >= 400 && e.Status < 500: // There is none for us.
		known.Verdict = requestslots.RobotsAbsent
	case err != nil:
		return known, err // Nothing is written down: the next run asks again.
	case page.Status >= 200 && page.Status < 300:
		known.Body = string(forums.CutRobots(page.Body))
	case page.Status >= 400 && page.Status < 500:
		known.Verdict = requestslots.RobotsAbsent
	default:
		known.Verdict = requestslots.RobotsUnreachable
	}
	return known, requestslots.StoreRobots(ctx, h.DB.DB, known)
}

// allowed says whether robots.txt lets us ask for an address.
func (h *walker) allowed(address string) error {
	u, err := url.Parse(address)
	if err != nil || h.rules == nil {
		return err
	}
	if h.rules.none {
		return fmt.Errorf("%w: it could not be read", errRobots)
	}
	if !h.rules.rules.Allowed(robotName, u.RequestURI()) {
		h.end.Robots = "robots.txt does not allow " + u.RequestURI()
		return fmt.Errorf("%w: %s", errRobots, u.RequestURI())
	}
	return nil
}
