// Package web is what all domains share: routes and who may use them, reading
// requests, replies, cursors, the page's frame, and errors, which become a status
// here and nowhere else.
package web

import (
	"log/slog"
	"time"

	"github.com/alexedwards/scs/v2"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/views/parts"
)

// Base is what every handler may use.
type Base struct {
	DB       *pg.DB
	Now      func() time.Time
	Log      *slog.Logger
	URL      string         // How people reach us, without a slash at the end.
	BuiltIn  []members.Site // The judge sites that are built in, by name; see Sites for all.
	Kinds    []members.Kind // Of sites that admins may declare.
	Sessions *scs.SessionManager
	Assets   parts.Assets
	Build    string
	Kafka    bool // This process is set up for it.
	Demo     bool // All that is here is invented.
}
