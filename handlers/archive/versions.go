package archive

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/members"
	views "laurel/views/archive"
)

// moved leads from a name that a shard had to the one that it has.
func moved(c echo.Context, s *archive.Shard) (bool, error) {
	name := c.Param("name")
	if s.Name == name {
		return false, nil
	}
	to := *c.Request().URL
	to.Path, to.RawPath = strings.Replace(to.Path, "/archive/"+name, shardBase(s), 1), ""
	return true, c.Redirect(http.StatusMovedPermanently, to.RequestURI())
}

// fillVersions tells the declarations that a shard had, and leads admins to where it is changed.
func (h *Handlers) fillVersions(c echo.Context, s *archive.Shard, p *views.Shard) error {
	p.Retired = web.Deref(s.Retired)
	list, err := archive.Versions(c.Request().Context(), h.DB.DB, s)
	if err != nil {
		return err
	}
	if v := h.Viewer(c); v != nil && v.Role == members.RoleAdmin && len(list) > 0 {
		p.Change = shardBase(s) + "/declaration"
	}
	for i, v := range list {
		line := views.ShardVersion{Number: v.Number, At: v.At, By: v.By, Note: v.Note, What: "declared"}
		if i+1 < len(list) {
			line.What = whatChanged(&list[i+1].Declaration, &v.Declaration)
		}
		p.Versions = append(p.Versions, line)
	}
	return nil
}

// whatChanged tells in words how a declaration became the next one.
func whatChanged(from, to *shards.Declaration) string {
	var out []string
	say := func(changed bool, format string, args ...any) {
		if changed {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(from.Name != to.Name, "renamed from %s", from.Name)
	say(from.Title != to.Title, "another title")
	before, after := names(from.Fields()), names(to.Fields())
	for i, name := range after {
		if i < len(before) {
			say(before[i] != name, "field %s renamed to %s", before[i], name)
		} else {
			say(true, "field %s added", name)
		}
	}
	say(len(to.Unique) > len(from.Unique), "unique key added")
	say(len(to.Dropped) > len(from.Dropped), "unique key dropped")
	say(len(from.Scope) != len(to.Scope) || !slices.Equal(from.Positions(from.Scope), to.Positions(to.Scope)), "another scope")
	say(from.Retired == nil && to.Retired != nil, "retired")
	say(from.Retired != nil && to.Retired == nil, "taken back into use")
	if len(out) == 0 {
		return "other unique keys"
	}
	return strings.Join(out, ", ")
}
