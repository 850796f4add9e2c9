package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// Mementos are the states of a page that can be asked for by their instants, as
// RFC 7089 says. The page's plain address is its own time gate.
type Mementos struct {
	Original string // The plain address, without the site's.
	TimeMap  string // Likewise: the list of all states.
	// The instants of states: the first and the last there are, the ones before
	// and after the one shown, and the one shown. Zero where there is none.
	First, Last, Prev, Next, At time.Time
}

const LinkFormat = "application/link-format"

// TimeGate answers a request for a plain address that asks for a time in the
// past (Accept-Datetime): it leads to the state of then, which find looks up;
// its At is the instant to lead to. Handlers go on where it was not answered.
func (h *Base) TimeGate(c echo.Context, find func(at time.Time) (Mementos, error)) (answered bool, err error) {
	text := c.Request().Header.Get("Accept-Datetime")
	if c.QueryParam("at") != "" {
		return false, nil // A state is what it is, whatever else is accepted.
	}
	c.Response().Header().Add(echo.HeaderVary, "accept-datetime")
	if text == "" {
		return false, nil
	}
	asked, err := http.ParseTime(text)
	if err != nil {
		return true, echo.NewHTTPError(http.StatusBadRequest,
			"the header Accept-Datetime must be like Fri, 06 Nov 2026 12:00:00 GMT").SetInternal(err)
	}
	// The header knows no parts of a second, and states have them: without
	// these, who asks for a state by its own Memento-Datetime gets the one before.
	m, err := find(asked.UTC().Add(time.Second - time.Microsecond))
	if err != nil {
		return true, err
	}
	if m.At.IsZero() {
		if m.At = m.First; m.At.IsZero() {
			return true, echo.NewHTTPError(http.StatusNotFound, "this page has not been checked yet")
		}
	}
	h.setLinks(c, m)
	return true, c.Redirect(http.StatusFound, AtAddress(m.Original, m.At))
}

// SetMementoHeaders says with a page where its other states are and, where the
// address names an instant, that this is a state and of when.
func (h *Base) SetMementoHeaders(c echo.Context, m Mementos) {
	if c.QueryParam("at") != "" && !m.At.IsZero() {
		c.Response().Header().Set("Memento-Datetime", m.At.UTC().Format(http.TimeFormat))
	} else {
		m.At, m.Prev, m.Next = time.Time{}, time.Time{}, time.Time{}
	}
	h.setLinks(c, m)
}

func (h *Base) setLinks(c echo.Context, m Mementos) {
	links := []string{
		fmt.Sprintf(`<%s>; rel="original timegate"`, h.URL+m.Original),
		fmt.Sprintf(`<%s>; rel="timemap"; type="%s"%s`, h.URL+m.TimeMap, LinkFormat, m.span()),
	}
	type state struct {
		rels string
		at   time.Time
	}
	var states []state
	for _, s := range []state{{"first ", m.First}, {"prev ", m.Prev}, {"", m.At}, {"next ", m.Next}, {"last ", m.Last}} {
		switch n := len(states); {
		case s.at.IsZero():
		case n > 0 && states[n-1].at.Equal(s.at):
			states[n-1].rels += s.rels
		default:
			states = append(states, s)
		}
	}
	for _, s := range states {
		links = append(links, h.memento(m.Original, s.rels, s.at))
	}
	c.Response().Header().Set("Link", strings.Join(links, ", "))
}

// memento is the link to one state.
func (h *Base) memento(original, rels string, at time.Time) string {
	return fmt.Sprintf(`<%s>; rel="%smemento"; datetime="%s"`, h.URL+AtAddress(original, at), rels, at.UTC().Format(http.TimeFormat))
}

// span is the time that the states come from.
func (m *Mementos) span() string {
	if m.First.IsZero() || m.Last.IsZero() {
		return ""
	}
	return fmt.Sprintf(`; from="%s"; until="%s"`, m.First.UTC().Format(http.TimeFormat), m.Last.UTC().Format(http.TimeFormat))
}

// SendTimeMap sends the list of all states, oldest first.
func (h *Base) SendTimeMap(c echo.Context, original, timemap string, instants []time.Time) error {
	m := Mementos{Original: original, TimeMap: timemap}
	if n := len(instants); n > 0 {
		m.First, m.Last = instants[0], instants[n-1]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<%s>; rel=\"original timegate\",\n<%s>; rel=\"self\"; type=\"%s\"%s", h.URL+original, h.URL+timemap, LinkFormat,
		m.span())
	for i, at := range instants {
		rels := ""
		if i == 0 {
			rels = "first "
		}
		if i == len(instants)-1 {
			rels += "last "
		}
		b.WriteString(",\n" + h.memento(original, rels, at))
	}
	b.WriteString("\n")
	return c.Blob(http.StatusOK, LinkFormat, []byte(b.String()))
}
