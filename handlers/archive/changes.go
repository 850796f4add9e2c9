package archive

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
)

// An apiChange is a line of the feed: a row as it is now, or one that is gone.
type apiChange struct {
	Gone        bool            `json:"gone,omitempty"` // A row of this key and beginning is there no more.
	Key         map[string]any  `json:"key"`
	Data        *map[string]any `json:"data,omitempty"`
	ValidFrom   time.Time       `json:"valid_from"`
	ValidUntil  *time.Time      `json:"valid_until"`
	EndReason   *string         `json:"end_reason"`
	RetrievedAt []time.Time     `json:"retrieved_at"`
	Cursor      string          `json:"cursor"` // The feed goes on behind this line.
}

// maxFeed is how many entries an Atom feed has.
const maxFeed = 50

// APIChanges is the feed of a shard: NDJSON since a cursor, or the newest as Atom.
func (h *Handlers) APIChanges(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	given, err := queryOf(c, s.Key, "limit", "cursor", "format")
	if err != nil {
		return err
	}
	key, err := given.row(s.Key)
	if err != nil {
		return err
	}
	atom, err := web.WantsFormat(c, given.text("format"), "atom", "application/atom+xml")
	if err != nil {
		return err
	}
	if atom {
		return h.sendAtom(c, s, key)
	}
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	if given.text("limit") == "" {
		limit = maxRead
	}
	list := fmt.Sprint("changes ", s.Name, " ", rowName(key))
	var place archive.Place
	if err := web.DecodeCursor(given.text("cursor"), list, &place); err != nil {
		return err
	}
	changes, err := archive.Changes(c.Request().Context(), h.DB.DB, s, archive.Query{Key: key, Limit: limit}, place)
	if err != nil {
		return err
	}
	next := given.text("cursor")
	if n := len(changes); n > 0 {
		next = web.EncodeCursor(list, changes[n-1].Place)
	}
	linkNext(c, next)
	c.Response().Header().Set(echo.HeaderContentType, "application/x-ndjson")
	c.Response().WriteHeader(http.StatusOK)
	out := json.NewEncoder(c.Response())
	for i := range changes {
		if err := out.Encode(showChange(&changes[i], list)); err != nil {
			return err
		}
	}
	return nil
}

func showChange(r *archive.Change, list string) apiChange {
	out := apiChange{Gone: r.Gone, Key: r.Key, ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil, RetrievedAt: r.Retrieved,
		Cursor: web.EncodeCursor(list, r.Place)}
	if !r.Gone {
		out.Data = &r.Data
	}
	if r.ValidUntil != nil {
		out.EndReason = &r.EndReason
	}
	if out.RetrievedAt == nil {
		out.RetrievedAt = []time.Time{}
	}
	return out
}

type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Author  string      `xml:"author>name"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Link    atomLink `xml:"link"`
		Summary string   `xml:"summary"`
	}
)

// sendAtom sends the newest changes for feed readers. An entry is a row: it is updated when the
// row ends.
func (h *Handlers) sendAtom(c echo.Context, s *archive.Shard, key shards.Row) error {
	changes, err := archive.NewestChanges(c.Request().Context(), h.DB.DB, s, archive.Query{Key: key, Limit: maxFeed})
	if err != nil {
		return err
	}
	q := keyQuery(s, key)
	self := h.URL + web.WithQuery("/api/v1"+shardBase(s)+"/changes", url.Values{"format": {"atom"}})
	if len(key) > 0 {
		self += "&" + q.Encode()
	}
	out := atomFeed{ID: self, Title: shardTitle(s), Author: "Laurel",
		Links: []atomLink{{"self", self}, {"alternate", h.URL + web.WithQuery(shardBase(s), q)}}}
	newest := time.Unix(0, 0)
	for i := range changes {
		e, at := h.atomEntry(s, &changes[i].Snapshot)
		out.Entries = append(out.Entries, e)
		if at.After(newest) {
			newest = at
		}
	}
	out.Updated = newest.UTC().Format(time.RFC3339)
	body, err := xml.Marshal(out)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, "application/atom+xml; charset=utf-8", append([]byte(xml.Header), body...))
}

func (h *Handlers) atomEntry(s *archive.Shard, r *archive.Snapshot) (atomEntry, time.Time) {
	var key, values []string
	for _, f := range s.Key {
		key = append(key, valueText(r.Key[f.Name]))
	}
	for _, f := range s.Data {
		values = append(values, f.Name+" "+fieldText(s, r.Data, f.Name))
	}
	address := h.URL + shardBase(s) + "/history?" + keyQuery(s, r.Key).Encode()
	e := atomEntry{ID: address + "#" + r.ValidFrom.Format(time.RFC3339Nano),
		Title: strings.Join(key, ", ") + ": " + strings.Join(values, ", "),
		Link:  atomLink{"alternate", address}, Summary: "Since " + r.ValidFrom.Format(time.RFC3339)}
	at := r.ValidFrom
	if r.ValidUntil != nil {
		at = *r.ValidUntil
		e.Summary += " until " + at.Format(time.RFC3339) + ": " + r.EndReason
	}
	e.Updated = at.Format(time.RFC3339)
	return e, at
}
