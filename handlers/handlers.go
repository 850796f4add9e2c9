// Package handlers answers requests: a handler reads the request, calls models
// and renders a view, and does nothing else.
//
// Every domain has a package, which lists its addresses and who may use them in
// Routes; package web is what they share. What needs the outside world is stored
// as a request in the database, and a job finds it there.
package handlers

import (
	"io"
	"iter"
	"net/http"
	"time"

	"laurel/handlers/notices"
	postpages "laurel/handlers/posts"
	"laurel/handlers/profiles"
	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/posts"
)

// Handlers is all pages and the JSON interface, with what the program gives them.
type Handlers struct {
	*web.Base
	Networks   []posts.Network // The post networks that can be read, by name.
	Posts      postpages.Pages
	ForumKinds []string // The kinds of archives that can be read.
	// ReadMbox yields the messages of a mailbox file; see jobs.ReadMbox.
	ReadMbox func(io.Reader) iter.Seq2[forums.NewMessage, error]
	Static   http.Handler       // Serves the files behind Assets below /static/.
	Secret   pg.Secret          // Opens the key that signs badges, and seals credentials.
	CoolDown time.Duration      // Between two presses of the button that went well.
	Progress *profiles.Progress // Who waits for news of a retrieval.
	Outbox   notices.Outbox
	Disk     func() (free, size uint64) // Of the folder with the data, in bytes; nil: not known.
	Ready    func(*http.Request) error
	Metrics  http.Handler
}
