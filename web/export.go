package main

import (
	"context"
	"io"

	"laurel/models/accounts"
	pg "laurel/models/db"
)

// exportAll writes all data as JSON lines.
func exportAll(ctx context.Context, db *pg.DB, w io.Writer) error {
	return accounts.Export(ctx, db.DB, w)
}
