package posts

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/posts"
	"laurel/views/parts"
	views "laurel/views/posts"
	"laurel/views/texts"
)

// postsFrame is the frame of a page with the styles of posts.
func (h *Handlers) postsFrame(c echo.Context, title string) parts.Frame {
	f := h.Frame(c, title)
	f.Posts = true
	return f
}

const (
	bestShown   = 15
	newestShown = 8
)

// Index is the community's page of posts.
func (h *Handlers) Index(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	p := views.Best{Frame: h.postsFrame(c, texts.T(ctx, "Posts")), Now: now.In(h.ViewerZone(c)),
		Scope: c.QueryParam("scope"), By: c.QueryParam("by")}
	if p.Scope == "" {
		p.Scope = "week"
	}
	if p.By == "" {
		p.By = "likes"
	}
	if v := h.Viewer(c); v != nil {
		p.Own = web.MemberAddress(v.Name) + "/posts"
	}
	best, err := posts.Best(ctx, h.DB.DB, p.Scope, p.By, bestShown, now)
	if err != nil {
		return err
	}
	newest, err := posts.Newest(ctx, h.DB.DB, newestShown)
	if err != nil {
		return err
	}
	p.Posts, p.Newest = h.postViews(best, now), h.postViews(newest, now)
	return web.Render(c, http.StatusOK, views.BestPage(p))
}

// postAsked is the post that an address names. Names may hold slashes.
func (h *Handlers) postAsked(c echo.Context) (posts.Row, error) {
	id := c.Param("*")
	if c.Request().URL.RawPath != "" { // Else Echo has it as it is.
		plain, err := url.PathUnescape(id)
		if err != nil {
			return posts.Row{}, pg.ErrNotFound
		}
		id = plain
	}
	post, err := posts.ShownNamed(c.Request().Context(), h.DB.DB,
		posts.Key{Network: c.Param("network"), Host: c.QueryParam("host"), ExternalID: id})
	if errors.Is(err, posts.ErrManyHosts) {
		err = echo.NewHTTPError(http.StatusNotFound, texts.T(c.Request().Context(),
			"several servers have a post with this number; add ?host=SERVER"))
	}
	return post, err
}

// Show is one post with its curve.
func (h *Handlers) Show(c echo.Context) error {
	format, err := web.PageFormat(c)
	if err != nil {
		return err
	}
	post, err := h.postAsked(c)
	if err != nil {
		return err
	}
	spans, err := posts.NumbersOf(c.Request().Context(), h.DB.DB, post.Key)
	if err != nil {
		return err
	}
	if format != "" {
		return postSheet(&post, spans).Send(c, format)
	}
	p := h.postPage(c, &post)
	h.fillHistory(&p, &post.Post, spans)
	if p.Nobody, err = h.nobodyAsks(c, &post); err != nil {
		return err
	}
	if p.Post.Due && !p.Nobody {
		p.Frame.Refresh = 2
	}
	if web.IsPartial(c) && !p.Post.Due { // What was waited for is here: all of the page is new.
		c.Response().Header().Set("HX-Retarget", "#post")
		c.Response().Header().Set("HX-Reselect", "#post")
	}
	return web.Render(c, http.StatusOK, views.Page(p))
}

func (h *Handlers) postPage(c echo.Context, post *posts.Row) views.One {
	now := h.Now()
	p := views.One{Now: now.In(h.ViewerZone(c)), Post: h.postView(post, now)}
	p.Frame = h.postsFrame(c, p.Post.Heading(c.Request().Context()))
	p.Frame.Curve = true
	if v := h.Viewer(c); v != nil {
		p.Button = post.State != posts.PostInvalid && post.State != posts.PostPaused
		p.Fix = v.Role == members.RoleAdmin
		p.Forget = post.MemberID != nil && v.Manages(&members.Member{ID: *post.MemberID, OwnerID: post.OwnerID})
	}
	if post.RequestedAt != nil {
		p.Again = post.RequestedAt.Add(h.Posts.CoolDown)
	}
	return p
}

// nobodyAsks says whether a post waits for a credential that is not there.
func (h *Handlers) nobodyAsks(c echo.Context, post *posts.Row) (bool, error) {
	if post.NextUpdateAt == nil || !h.network(post.Network).NeedsToken {
		return false, nil
	}
	active, err := posts.AnyCredential(c.Request().Context(), h.DB.DB, posts.Pool{Network: post.Network, Host: post.Host})
	return !active, err
}

// Refresh is the button: it asks for a check at once, and a job does it.
func (h *Handlers) Refresh(c echo.Context) error {
	post, err := h.postAsked(c)
	if err != nil {
		return err
	}
	if _, _, err := posts.Refresh(c.Request().Context(), h.DB.DB, post.ID, h.Posts.BufferTTL, h.Posts.CoolDown, h.Now()); err != nil {
		return err
	}
	if web.IsPartial(c) {
		return h.Show(c)
	}
	return c.Redirect(http.StatusSeeOther, c.Request().URL.RequestURI())
}

// Forget ends that a member's post is followed.
func (h *Handlers) Forget(c echo.Context) error {
	m, err := h.managesPosts(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	post, err := posts.ShownNamed(ctx, h.DB.DB, posts.Key{Network: c.FormValue("network"), Host: c.FormValue("host"),
		ExternalID: c.FormValue("id")})
	if err == nil && (post.MemberID == nil || *post.MemberID != m.ID) {
		err = pg.ErrNotFound
	}
	if err != nil {
		return err
	}
	if err := posts.Forget(ctx, h.DB.DB, post.ID, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"/posts?done=forgotten")
}

// postSheet is every check of a post, for programs.
func postSheet(p *posts.Row, spans []posts.NumbersSpan) *web.Sheet {
	type check struct {
		At time.Time `json:"at"`
		posts.Numbers
	}
	checks := []check{}
	s := &web.Sheet{Name: "post-" + p.Network + "-" + p.ExternalID[strings.LastIndexByte(p.ExternalID, '/')+1:],
		Head: []string{"at", "likes", "reposts", "replies", "quotes", "bookmarks", "views"}}
	for i := range spans {
		for _, at := range spans[i].Fetches {
			n := spans[i].Numbers
			checks = append(checks, check{at, n})
			s.Rows = append(s.Rows, []any{at, n.Likes, n.Reposts, n.Replies, n.Quotes, n.Bookmarks, n.Views})
		}
	}
	s.Whole = map[string]any{"network": p.Network, "host": p.Host, "id": p.ExternalID, "created_at": p.CreatedAt, "looks": checks}
	return s
}
