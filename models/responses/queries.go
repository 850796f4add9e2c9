package responses

import (
	"embed"

	"laurel/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// queries are the long statements, by the names of their files.
var queries = sqlfile.Read(files)
