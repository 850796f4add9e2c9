package posts

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/posts"
)

type apiPost struct {
	Network      string        `json:"network"`
	Host         string        `json:"host,omitempty"`
	ID           string        `json:"id"`
	URL          string        `json:"url"`
	Member       *string       `json:"member"`
	Author       string        `json:"author,omitempty"`
	Text         string        `json:"text,omitempty"`
	RepostOf     string        `json:"repost_of,omitempty"`
	CreatedAt    time.Time     `json:"created_at"`
	AddedAt      time.Time     `json:"added_at"`
	State        string        `json:"state"`
	Tier         string        `json:"tier"`
	NextUpdateAt *time.Time    `json:"next_update_at"`
	MetricsAt    *time.Time    `json:"metrics_at"`
	Metrics      posts.Numbers `json:"metrics"` // An unknown number is absent.
	Fetches      int           `json:"looks"`
	LastError    string        `json:"last_error,omitempty"`
}

func (h *Handlers) showPost(p posts.Row) apiPost {
	out := apiPost{Network: p.Network, Host: p.Host, ID: p.ExternalID, URL: p.URL, Author: p.Author, Text: p.Text,
		CreatedAt: p.CreatedAt.UTC(), AddedAt: p.AddedAt.UTC(),
		State: p.State, Tier: p.Tier(h.Posts.Tiers, h.Now()), NextUpdateAt: web.UTC(p.NextUpdateAt), MetricsAt: web.UTC(p.MetricsAt),
		Metrics: p.Numbers, Fetches: p.Fetches, LastError: p.LastError}
	if p.MemberID != nil {
		out.Member = &p.Member
	}
	if p.RepostOf != nil {
		out.RepostOf = *p.RepostOf
	}
	return out
}

// APIList lists the posts that are followed, the newest of them first.
func (h *Handlers) APIList(c echo.Context) error {
	var f posts.Filter
	if name := c.QueryParam("member"); name != "" {
		m, err := members.ByName(c.Request().Context(), h.DB.DB, name)
		if errors.Is(err, pg.ErrNotFound) {
			return &pg.InputError{Field: "member", Message: fmt.Sprintf("no member is named %q", name)}
		}
		if err != nil {
			return err
		}
		f.MemberID = m.ID
	}
	return h.sendPosts(c, f)
}

// APIOfMember lists a member's posts, newest first.
func (h *Handlers) APIOfMember(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	return h.sendPosts(c, posts.Filter{MemberID: m.ID})
}

// sendPosts adds the filters of the address to f.
func (h *Handlers) sendPosts(c echo.Context, f posts.Filter) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	if f.Network = c.QueryParam("network"); f.Network != "" {
		if _, err := h.networkNamed(f.Network); err != nil {
			return err
		}
	}
	if f.State = c.QueryParam("state"); f.State != "" && !slices.Contains(posts.PostStates, f.State) {
		return &pg.InputError{Field: "state", Message: "a state is one of " + strings.Join(posts.PostStates, ", ")}
	}
	cursor, err := pg.ParseCursor(c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	list, next, err := posts.Followed(c.Request().Context(), h.DB.DB, f, cursor, limit)
	if err != nil {
		return err
	}
	return web.SendList(c, list, next.String(), h.showPost)
}

// networkNamed is the network of that name, or an InputError about "network".
func (h *Handlers) networkNamed(name string) (posts.Network, error) {
	n, ok := posts.NetworkNamed(h.Networks, name)
	if !ok {
		var names []string
		for _, n := range h.Networks {
			names = append(names, n.Name)
		}
		return n, &pg.InputError{Field: "network", Message: fmt.Sprintf("no network is named %q; known are %s", web.Shorten(name, 100),
			strings.Join(names, ", "))}
	}
	return n, nil
}

// APIShow is one post.
func (h *Handlers) APIShow(c echo.Context) error {
	p, err := h.postOf(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, h.showPost(p))
}

// APIForget ends that a post is followed.
func (h *Handlers) APIForget(c echo.Context) error {
	p, err := h.postOf(c)
	if err != nil {
		return err
	}
	v, of := h.Viewer(c), p.Whose()
	if of == nil && v.Role != members.RoleAdmin || of != nil && !v.Manages(of) {
		return echo.NewHTTPError(http.StatusForbidden, "only its author and admins may stop tracking a post")
	}
	if err := posts.Forget(c.Request().Context(), h.DB.DB, p.ID, h.Now()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// APIRefresh wants the numbers of a post at once.
func (h *Handlers) APIRefresh(c echo.Context) error {
	p, err := h.postOf(c)
	if err != nil {
		return err
	}
	if p.State == posts.PostInvalid || p.State == posts.PostPaused {
		return echo.NewHTTPError(http.StatusConflict, fmt.Sprintf("this post is %s, so it is not updated", p.State))
	}
	now := h.Now()
	asked, again, err := posts.Refresh(c.Request().Context(), h.DB.DB, p.ID, h.Posts.BufferTTL, h.Posts.CoolDown, now)
	if err != nil {
		return err
	}
	if !asked {
		return &pg.Error{Code: pg.CodeLimited,
			Message: "too many updates of this post", After: max(again.Sub(now), time.Second)}
	}
	return c.JSON(http.StatusAccepted, map[string]time.Time{"requested_at": now.UTC()})
}

// postOf is the post in the address. ?host= says which place of a network is
// meant, where a number alone does not.
func (h *Handlers) postOf(c echo.Context) (posts.Row, error) {
	n, ok := posts.NetworkNamed(h.Networks, c.Param("network"))
	if !ok {
		return posts.Row{}, pg.ErrNotFound
	}
	id := c.Param("id")
	if c.Request().URL.RawPath != "" { // Echo matches routes by it, and left it escaped.
		var err error
		if id, err = url.PathUnescape(id); err != nil {
			return posts.Row{}, pg.ErrNotFound
		}
	}
	host := c.QueryParam("host")
	if host != "" {
		var err error
		if host, err = n.CheckHost(host); err != nil {
			return posts.Row{}, err
		}
	}
	key, ok := pathKey(n, id, host)
	if !ok {
		return posts.Row{}, pg.ErrNotFound
	}
	p, err := posts.Find(c.Request().Context(), h.DB.DB, key)
	if errors.Is(err, posts.ErrManyHosts) {
		err = &pg.InputError{Field: "host", Message: err.Error() + "; choose one with ?host="}
	}
	return p, err
}

// pathKey is what an address calls a post. Unlike a post to follow, a number
// without its server may be of any of them.
func pathKey(n posts.Network, id, host string) (posts.Key, bool) {
	if rest, ok := strings.CutPrefix(id, "at:/"); ok && !strings.HasPrefix(rest, "/") {
		id = "at://" + rest // A proxy has made one slash of two.
	}
	key, _, ok := postKey(n, id, host)
	if ok && n.Hosts && host == "" && !strings.Contains(id, "/") {
		key.Host = ""
	}
	return key, ok
}

// postKey recognises an id, a link, or for a network of many places host/id.
// created is nil if unknown.
func postKey(n posts.Network, id, host string) (key posts.Key, created *time.Time, ok bool) {
	if server, number, ok := strings.Cut(id, "/"); ok && n.Hosts && !strings.ContainsAny(number, "/:") {
		server, err := n.CheckHost(server)
		if err != nil || host != "" && server != host {
			return key, nil, false
		}
		id, host = number, server
	}
	key, created, ok = n.Parse(id)
	if ok && host != "" {
		if strings.Contains(id, "/") {
			return key, created, key.Host == host
		}
		key.Host = host
	}
	return key, created, ok
}

// PlainIDs lets an id with slashes be in an address as it is: what lies
// between the network and the end, or its last part, is one name.
func PlainIDs(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		if rest, ok := strings.CutPrefix(u.EscapedPath(), postsPath); ok {
			if network, id, _ := strings.Cut(rest, "/"); strings.Contains(id, "/") {
				end := ""
				for _, part := range []string{"/metrics", "/refresh"} {
					if before, ok := strings.CutSuffix(id, part); ok {
						id, end = before, part
					}
				}
				u.RawPath = postsPath + network + "/" + strings.ReplaceAll(id, "/", "%2F") + end
			}
		}
		return next(c)
	}
}

const postsPath = "/api/v1/posts/"
