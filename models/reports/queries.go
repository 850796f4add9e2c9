package reports

import (
	"embed"

	"laurel/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// queries are the statements in sql/.
var queries = sqlfile.Read(files)
