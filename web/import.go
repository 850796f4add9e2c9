package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
)

// importMembers stores the members of a CSV file and says what changed.
func importMembers(ctx context.Context, db *pg.DB, sites []members.Site, r io.Reader, w io.Writer, now time.Time) error {
	c, err := accounts.Import(ctx, db.DB, sites, r, now)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "members: %d added, %d existing\nhandles: %d added, %d changed, %d unchanged\n",
		c.Created, c.Known, c.Added, c.Changed, c.Untouched)
	return err
}
