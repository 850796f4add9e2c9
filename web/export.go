package main

import (
	"context"
	"io"

	"laurel/models"
)

// exportAll writes all data as JSON lines.
func exportAll(ctx context.Context, db *models.DB, w io.Writer) error {
	return models.Export(ctx, db.DB, w)
}
