package archive

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

type apiShard struct {
	Name    string         `json:"name"`
	Title   string         `json:"title"`
	Key     []shards.Field `json:"key"`
	Data    []shards.Field `json:"data"`
	Unique  [][]string     `json:"unique"`
	Scope   []string       `json:"scope"`
	BuiltIn bool           `json:"built_in"`

	// Of shards that were changed.
	Since    map[string]time.Time `json:"since,omitempty"` // Data fields that were added, and from when they are asked.
	Retired  *time.Time           `json:"retired,omitempty"`
	Formerly []string             `json:"formerly,omitempty"`
}

func showShard(s *archive.Shard) apiShard {
	out := showDeclaration(&s.Declaration)
	out.BuiltIn = slices.ContainsFunc(archive.BuiltIn(), func(b *archive.Shard) bool { return b.Name == s.Name })
	return out
}

func showDeclaration(s *shards.Declaration) apiShard {
	return apiShard{Name: s.Name, Title: s.Title, Key: s.Key, Data: append([]shards.Field{}, s.Data...),
		Unique: append([][]string{}, s.Unique...), Scope: append([]string{}, s.Scope...), Since: s.Since, Retired: s.Retired,
		Formerly: s.Formerly}
}

// shard is the one that the address names.
func (h *Handlers) shard(c echo.Context) (*archive.Shard, error) {
	name := c.Param("name")
	if !utf8.ValidString(name) || strings.Contains(name, "\x00") {
		return nil, archive.ErrNoShard // The database could not even be asked.
	}
	return archive.Lookup(c.Request().Context(), h.DB.DB, name)
}

// APIList lists the shards by name.
func (h *Handlers) APIList(c echo.Context) error {
	given, err := queryOf(c, nil, "limit", "cursor")
	if err != nil {
		return err
	}
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	var last string
	if err := web.DecodeCursor(given.text("cursor"), "shards", &last); err != nil {
		return err
	}
	all, err := archive.Shards(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(s *archive.Shard) bool { return s.Name <= last })
	next := ""
	if len(all) > limit {
		all = all[:limit]
		next = web.EncodeCursor("shards", all[limit-1].Name)
	}
	return web.SendList(c, all, next, showShard)
}

// APIDeclare declares a shard and makes its table. To declare the very same
// once more is no mistake.
func (h *Handlers) APIDeclare(c echo.Context) error {
	body, err := document(c)
	if err != nil {
		return err
	}
	d, err := declarationOf(body)
	if err != nil {
		return err
	}
	ctx, status := c.Request().Context(), http.StatusOK
	if _, err := archive.Lookup(ctx, h.DB.DB, d.Name); errors.Is(err, archive.ErrNoShard) {
		status = http.StatusCreated
	} else if err != nil {
		return err
	}
	s, err := archive.Declare(ctx, h.DB.DB, *d, h.Now())
	if err != nil {
		return err
	}
	if status == http.StatusCreated {
		c.Response().Header().Set(echo.HeaderLocation, "/api/v1/archive/"+s.Name)
	}
	return c.JSON(status, showShard(s))
}

// declarationOf reads a declaration.
func declarationOf(body any) (*shards.Declaration, error) {
	m, err := object(body, "", "name", "title", "key", "data", "unique", "scope")
	if err != nil {
		return nil, err
	}
	return declarationIn(m)
}

// declarationIn reads the declaration in a body that may say more.
func declarationIn(m map[string]any) (*shards.Declaration, error) {
	words, err := texts(m, "", "name", "title")
	if err != nil {
		return nil, err
	}
	d := &shards.Declaration{Name: words[0], Title: words[1]}
	if d.Key, err = elements(m["key"], "key", fieldOf); err != nil {
		return nil, err
	}
	if d.Data, err = elements(m["data"], "data", fieldOf); err != nil {
		return nil, err
	}
	if d.Scope, err = elements(m["scope"], "scope", text); err != nil {
		return nil, err
	}
	d.Unique, err = elements(m["unique"], "unique", func(v any, field string) ([]string, error) {
		if v == nil {
			return nil, mustBe(field, "a list")
		}
		return elements(v, field, text)
	})
	if err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	return d, checkPlace(d)
}

func fieldOf(v any, field string) (shards.Field, error) {
	m, err := object(v, field, "name", "type")
	if err != nil {
		return shards.Field{}, err
	}
	words, err := texts(m, field, "name", "type")
	if err != nil {
		return shards.Field{}, err
	}
	return shards.Field{Name: words[0], Type: words[1]}, nil
}

var (
	// Names below /api/v1/archive and /archive that mean something else.
	reservedShards = []string{"responses", "retrievals", "declare"}
	// The table of such a shard has the name of an index that the shard in front
	// of it has, or could have.
	indexName = regexp.MustCompile(`^(.+)(_(?:key|u[1-8])_(?:open|past)|_scope)$`)
)

// maxIndexed is how many fields one index can have, with the beginning of the
// period beside them.
const maxIndexed = 31

// checkPlace says what else keeps a shard from being made.
func checkPlace(d *shards.Declaration) error {
	if slices.Contains(reservedShards, d.Name) {
		return &pg.InputError{Field: "name", Message: fmt.Sprintf("the name %q is reserved for the archive; choose another", d.Name)}
	}
	if m := indexName.FindStringSubmatch(d.Name); m != nil {
		return &pg.InputError{Field: "name", Message: fmt.Sprintf(
			"%q clashes with an index of a shard %q; choose a name that does not end in %q", d.Name, m[1], m[2])}
	}
	wide := ""
	if len(d.Key) > maxIndexed {
		wide = "key"
	}
	if len(d.Scope) > maxIndexed {
		wide = "scope"
	}
	for i, u := range d.Unique {
		if len(u) > maxIndexed {
			wide = in("unique", i)
		}
	}
	if wide != "" {
		return &pg.InputError{Field: wide, Message: fmt.Sprintf("at most %d fields can share an index", maxIndexed)}
	}
	return checkUnique(d)
}

// checkUnique sees that each unique key is there once; the order of its fields
// makes no difference.
func checkUnique(d *shards.Declaration) error {
	var known [][]string
	for i, u := range d.Unique {
		fields := slices.Sorted(slices.Values(u))
		if first := slices.IndexFunc(known, func(k []string) bool { return slices.Equal(k, fields) }); first >= 0 {
			return &pg.InputError{Field: in("unique", i), Message: fmt.Sprintf("this is the same as unique.%d; list it once", first)}
		}
		known = append(known, fields)
	}
	return nil
}
