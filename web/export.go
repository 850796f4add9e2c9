package main

import (
	"context"
	"io"

	"laurel/models"
	pg "laurel/models/db"
)

// exportAll writes all data as JSON lines.
func exportAll(ctx context.Context, db *pg.DB, w io.Writer) error {
	return models.Export(ctx, db.DB, w)
}
