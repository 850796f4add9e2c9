package archive

import (
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
)

// shardMementos are the states of an address that shows rows of a shard, of pages and of the
// API alike: one for each instant at which any of the rows was seen.
type shardMementos struct {
	*Handlers
	shard *archive.Shard
	query archive.Query // Key and data only.
	base  string        // The address without a query.
}

func (h *Handlers) shardMementos(base string, s *archive.Shard, q archive.Query) shardMementos {
	return shardMementos{h, s, archive.Query{Key: q.Key, Data: q.Data}, base}
}

// links are the plain address and that of its TimeMap.
func (m shardMementos) links() web.Mementos {
	q := filterQuery(m.shard, m.query)
	return web.Mementos{Original: web.WithQuery(m.base, q), TimeMap: web.WithQuery(m.base+"/timemap", q)}
}

// gate leads who asks for the plain address as of a time to the newest state by then.
func (m shardMementos) gate(c echo.Context) (answered bool, err error) {
	if c.QueryParams().Has("cursor") || c.QueryParams().Has("format") {
		return false, nil // A part or a file is no state of the address.
	}
	return m.TimeGate(c, func(at time.Time) (web.Mementos, error) {
		l := m.links()
		times, err := archive.Times(c.Request().Context(), m.DB.DB, m.shard, m.query, archive.Newest(at, 2))
		if err == nil && len(times) == 0 {
			times, err = archive.Times(c.Request().Context(), m.DB.DB, m.shard, m.query, archive.First)
		}
		if len(times) > 0 {
			l.At = times[0]
		}
		if len(times) > 1 {
			l.Prev = times[1]
		}
		return l, err
	})
}

// set says of an answer which state it is: the newest sighting of the rows that it shows.
func (m shardMementos) set(c echo.Context, rows []archive.Snapshot, at time.Time) {
	l := m.links()
	for i := range rows {
		r := &rows[i]
		if r.SeenBefore != nil && r.SeenBefore.After(l.At) {
			l.At = *r.SeenBefore
		}
	}
	for i := range rows {
		for _, t := range rows[i].Retrieved {
			if t.Before(l.At) && t.After(l.Prev) {
				l.Prev = t
			}
			if t.After(at) && (l.Next.IsZero() || t.Before(l.Next)) {
				l.Next = t
			}
		}
	}
	m.SetMementoHeaders(c, l)
}

// send sends the TimeMap.
func (m shardMementos) send(c echo.Context) error {
	times, err := archive.Times(c.Request().Context(), m.DB.DB, m.shard, m.query, archive.Newest(time.Time{}, web.TimeMapAtMost))
	if err != nil {
		return err
	}
	slices.Reverse(times)
	l := m.links()
	return m.SendTimeMap(c, l.Original, l.TimeMap, times)
}

// TimeMap lists the states of a shard's page.
func (h *Handlers) TimeMap(c echo.Context) error { return h.timeMap(c, "") }

// APITimeMap lists the states of the rows of a shard.
func (h *Handlers) APITimeMap(c echo.Context) error { return h.timeMap(c, "/api/v1") }

func (h *Handlers) timeMap(c echo.Context, prefix string) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	given, err := queryOf(c, slices.Concat(s.Key, s.Data))
	if err != nil {
		return err
	}
	var q archive.Query
	if q.Key, q.Data, err = given.filter(s); err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-cache")
	return h.shardMementos(prefix+shardBase(s), s, q).send(c)
}
