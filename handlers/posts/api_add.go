package posts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/posts"
)

const (
	maxNewPosts = 100_000 // Of one request.
	postsAtOnce = 5000    // Of one statement.
	maxWrong    = 500     // Bytes said about one post that is refused.
)

// An apiNewPost is a post to follow: by its id, or by a link.
type apiNewPost struct {
	Network string         `json:"network"`
	Host    string         `json:"host"`
	ID      jsontext.Value `json:"id"` // A text, or a number of which no digit can have been lost.
	URL     string         `json:"url"`
	Member  *string        `json:"member"`

	err error // Why it cannot be read.
}

type apiAdded struct {
	Accepted  int          `json:"accepted"`
	Duplicate int          `json:"duplicate"` // Followed already, or given twice.
	Rejected  []apiBadPost `json:"rejected"`
	Items     []apiPost    `json:"items,omitempty"` // Where it was one object: that post.
	valid     []posts.New
	errs      []error // Of the rejected.
}

type apiBadPost struct {
	Index int    `json:"index"` // From 0.
	Error string `json:"error"`
}

// APIAdd follows a post, or a list of them. One that is wrong hurts no other.
func (h *Handlers) APIAdd(c echo.Context) error {
	items, list, err := readNewPosts(c.Request().Body)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	out, err := h.checkNewPosts(ctx, items, h.Viewer(c))
	if err != nil {
		return err
	}
	if !list && len(out.errs) > 0 {
		return out.errs[0]
	}
	for start := 0; start < len(out.valid); start += postsAtOnce {
		part := out.valid[start:min(start+postsAtOnce, len(out.valid))]
		n, err := posts.Add(ctx, h.DB.DB, part, h.Now())
		if err != nil {
			return err
		}
		out.Accepted += n
		out.Duplicate += len(part) - n
	}
	if list {
		return c.JSON(http.StatusOK, out)
	}
	p, err := posts.Find(ctx, h.DB.DB, out.valid[0].Key)
	if err != nil {
		return err
	}
	out.Items = []apiPost{h.showPost(p)}
	status := http.StatusOK
	if out.Accepted > 0 {
		status = http.StatusCreated
	}
	c.Response().Header().Set(echo.HeaderLocation, postAddress(p.Key))
	return c.JSON(status, out)
}

// postAddress is where a post is.
func postAddress(k posts.Key) string {
	address := postsPath + k.Network + "/" + url.PathEscape(k.ExternalID)
	if k.Host != "" {
		address += "?host=" + url.QueryEscape(k.Host)
	}
	return address
}

// readNewPosts reads a body that is an object or a list of them. What an item
// holds is its own affair; the body as a whole must be JSON.
func readNewPosts(body io.Reader) (items []apiNewPost, list bool, err error) {
	d := jsontext.NewDecoder(body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if list = d.PeekKind() == '['; list {
		if _, err := d.ReadToken(); err != nil {
			return nil, list, web.DecodeError(err)
		}
	}
	for list && d.PeekKind() != ']' || !list && len(items) == 0 {
		if len(items) == maxNewPosts {
			return nil, list, echo.NewHTTPError(http.StatusRequestEntityTooLarge,
				fmt.Sprintf("one request has at most %d posts; nothing was stored, send them in parts", maxNewPosts))
		}
		v, err := d.ReadValue()
		if err != nil {
			return nil, list, web.DecodeError(err)
		}
		items = append(items, readNewPost(v))
	}
	if list {
		if _, err := d.ReadToken(); err != nil {
			return nil, list, web.DecodeError(err)
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("text follows the end of the value")
		}
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return nil, list, err
		}
		return nil, list, web.BadBody("the body is not JSON: text follows its end", err)
	}
	return items, list, nil
}

func readNewPost(v jsontext.Value) (in apiNewPost) {
	if v.Kind() != '{' {
		in.err = &pg.InputError{Message: "a post is an object such as {\"url\": \"https://x.com/jack/status/20\"}"}
		return in
	}
	if err := json.Unmarshal(v, &in, json.RejectUnknownMembers(true)); err != nil {
		in.err = web.DecodeError(err)
		if he, ok := errors.AsType[*echo.HTTPError](in.err); ok {
			in.err = &pg.InputError{Message: fmt.Sprint(he.Message)}
		}
	}
	in.ID = bytes.Clone(in.ID)
	return in
}

// checkNewPosts separates the posts that can be tracked from the others.
func (h *Handlers) checkNewPosts(ctx context.Context, items []apiNewPost, viewer *members.Member) (*apiAdded, error) {
	var names []string
	asked := map[string]bool{}
	for i := range items {
		if name := items[i].Member; name != nil && !asked[*name] {
			asked[*name] = true
			names = append(names, *name)
		}
	}
	people := map[string]members.Member{}
	if len(names) > 0 {
		var err error
		if people, err = posts.MembersNamed(ctx, h.DB.DB, names); err != nil {
			return nil, err
		}
	}
	out := &apiAdded{Rejected: []apiBadPost{}, valid: make([]posts.New, 0, len(items))}
	for i := range items {
		in := &items[i]
		p, err := posts.New{}, in.err
		if err == nil {
			p, err = h.newPost(in)
		}
		if err == nil {
			p.MemberID, err = ownerOf(in, viewer, people)
		}
		if err == nil {
			out.valid = append(out.valid, p)
			continue
		}
		out.errs = append(out.errs, err)
		out.Rejected = append(out.Rejected, apiBadPost{i, web.Shorten(badPostWords(err), maxWrong)})
	}
	return out, nil
}

func badPostWords(err error) string {
	if input, ok := errors.AsType[*pg.InputError](err); ok && input.Field != "" {
		return input.Field + ": " + input.Message
	}
	if he, ok := errors.AsType[*echo.HTTPError](err); ok {
		return fmt.Sprint("member: ", he.Message)
	}
	return err.Error()
}

// ownerOf is the member whose post it shall be: the one who asks, where nobody is
// named, and nobody where an admin asks.
func ownerOf(in *apiNewPost, viewer *members.Member, people map[string]members.Member) (*int64, error) {
	if in.Member == nil || *in.Member == "" {
		if viewer.Role == members.RoleAdmin {
			return nil, nil
		}
		return &viewer.ID, nil
	}
	m, ok := people[strings.ToLower(*in.Member)]
	if !ok {
		return nil, &pg.InputError{Field: "member", Message: fmt.Sprintf("no member is named %q", web.Shorten(*in.Member, 100))}
	}
	if !viewer.Manages(&m) {
		return nil, echo.NewHTTPError(http.StatusForbidden, "only "+m.Name+" and admins may add posts of "+m.Name)
	}
	return &m.ID, nil
}
