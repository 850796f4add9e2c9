package archive

import (
	"embed"

	"laurel/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// queries are the statements in sql/. Those of one shard are made in sql.go: they name
// its table and its fields.
var queries = sqlfile.Read(files)
