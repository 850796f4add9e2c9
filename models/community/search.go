package community

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Person is a member who was found.
type Person struct {
	ID                int64
	Name, DisplayName string
	Custom            bool
	Exact             bool   // Was meant, by name or by handle.
	Handle            string // With its site, where the handle was meant.
}

// People returns at most limit members whom a text may mean: a name or a part of it, a handle,
// or the address of a profile at a site or here.
func People(ctx context.Context, db *gorm.DB, sites []members.Site, text string, limit int) (list []Person, err error) {
	text = pg.CleanText(text)
	var names, handles []string
	for _, s := range sites {
		if handle := members.HandleIn(sites, s.Name, text); handle != "" && !strings.ContainsAny(handle, "/ ") {
			names, handles = append(names, s.Name), append(handles, handle)
		}
	}
	if _, name, ours := strings.Cut(text, "/u/"); ours { // The address of a profile here.
		text, _, _ = strings.Cut(name, "/")
	}
	part := pg.Containing(text)
	err = db.WithContext(ctx).Raw(queries.Must("people"), pg.Named("text", text, "part", part, "beginning", strings.TrimPrefix(part, "%"),
		"sites", &names, "handles", &handles, "limit", limit, "asking", members.Asking(ctx))).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("search people: %w", err)
	}
	return list, nil
}
