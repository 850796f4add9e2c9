package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// A Role says who may use an address. A handler adds what depends on the thing
// asked for: models.Member.Manages.
type Role string

const (
	Public Role = "public" // Anybody, and it does not matter who; nothing that belongs to a member.
	Door   Role = "door"   // Anybody, also where the community is for members only: the way in, and what holds an unguessable word.
	Anyone Role = "anyone" // Anybody; the answer differs for those who signed in. Where the community is for members only: they alone.
	Feed   Role = "feed"   // As Anyone; a feed's token in the address says who asks.
	Member Role = "member"
	// Support is for support and admins; all members are seen there.
	Support Role = "support"
	Admin   Role = "admin"
	// Pusher is for admins and for tokens of a source: see TokenSource.
	Pusher Role = "pusher"
	Local  Role = "local" // From this machine itself, or an admin.
)

// A Route is one address, who may use it, and what answers.
type Route struct {
	Method, Path string
	Role         Role
	handle       echo.HandlerFunc
	maxBody      int64
	Streams      bool // What it answers takes as long as it takes.
}

func newRoute(method, path string, who Role, handle echo.HandlerFunc) Route {
	return Route{Method: method, Path: path, Role: who, handle: handle, maxBody: MaxBody}
}

// Get is a route that changes nothing; it answers HEAD, too.
func Get(path string, who Role, handle echo.HandlerFunc) Route {
	return newRoute(http.MethodGet, path, who, handle)
}

// Post is a route for forms and new things.
func Post(path string, who Role, handle echo.HandlerFunc) Route {
	return newRoute(http.MethodPost, path, who, handle)
}

// Put is a route that stores a whole thing.
func Put(path string, who Role, handle echo.HandlerFunc) Route {
	return newRoute(http.MethodPut, path, who, handle)
}

// Patch is a route that changes parts of a thing.
func Patch(path string, who Role, handle echo.HandlerFunc) Route {
	return newRoute(http.MethodPatch, path, who, handle)
}

// Delete is a route that deletes a thing.
func Delete(path string, who Role, handle echo.HandlerFunc) Route {
	return newRoute(http.MethodDelete, path, who, handle)
}

// UpTo allows bodies of at most so many bytes instead of 1 MB.
func (r Route) UpTo(bytes int64) Route {
	r.maxBody = bytes
	return r
}

// Streaming is for what takes as long as it takes: a stream of news, a large file.
func (r Route) Streaming() Route {
	r.Streams = true
	return r
}
