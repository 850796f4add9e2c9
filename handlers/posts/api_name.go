package posts

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// exactly is the largest number below which programs lose no digit: 2^53.
const exactly = 1 << 53

// idText reads an id: a text, or a number that no program on its way can have
// rounded. "" where it is not given.
func idText(v jsontext.Value) (string, error) {
	switch v.Kind() {
	case 0, 'n':
		return "", nil
	case '"':
		text, err := jsontext.AppendUnquote(nil, v)
		return strings.TrimSpace(string(text)), err
	case '0':
		n, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil || n > exactly || n < -exactly {
			return "", &pg.InputError{Field: "id", Message: fmt.Sprintf(
				"%s is not a whole number below 2^53, and JSON parsers round larger numbers; send the id as a string",
				web.Shorten(string(v), 40))}
		}
		return strconv.FormatInt(n, 10), nil
	}
	return "", &pg.InputError{Field: "id", Message: "the id must be a string"}
}

// newPost finds out which post is meant.
func (h *Handlers) newPost(in *apiNewPost) (p posts.New, err error) {
	id, err := idText(in.ID)
	if err != nil {
		return p, err
	}
	link := strings.TrimSpace(in.URL)
	if id == "" && link == "" {
		return p, &pg.InputError{Field: "id", Message: "give the id of the post, or a link to it as url"}
	}
	n, err := h.networkOf(in.Network, id, link)
	if err != nil {
		return p, err
	}
	host := ""
	if in.Host != "" {
		if host, err = n.CheckHost(in.Host); err != nil {
			return p, err
		}
	}
	if link != "" {
		if p, err = linkedPost(n, link, host); err != nil {
			return p, err
		}
		if host == "" {
			host = p.Host
		}
	}
	if id != "" {
		if err := identify(&p, n, id, host); err != nil {
			return p, err
		}
	}
	if p.Unborn(h.Now()) {
		return p, &pg.InputError{Field: "id", Message: fmt.Sprintf("the id says that %s was written in the future; check its digits",
			web.Shorten(p.ExternalID, 100))}
	}
	return p, nil
}

// identify gives a post its id, to which its link must lead if it has one.
func identify(p *posts.New, n posts.Network, id, host string) error {
	key, created, ok := postKey(n, id, host)
	if !ok {
		return &pg.InputError{Field: "id", Message: fmt.Sprintf("%q is not the id of a post on %s", web.Shorten(id, 100), n.Title)}
	}
	if p.Network != "" && lastPart(key.ExternalID) != lastPart(p.ExternalID) {
		return &pg.InputError{Field: "url", Message: "this links to a different post than the id"}
	}
	p.Key, p.CreatedAt = key, created
	if p.URL == "" {
		p.URL = linkOf(id)
	}
	return nil
}

// networkOf is the network that is named, or the one to which a link leads.
func (h *Handlers) networkOf(name, id, link string) (posts.Network, error) {
	if name != "" {
		return h.networkNamed(name)
	}
	for _, text := range []string{link, id} {
		for _, n := range h.Networks {
			if !strings.Contains(text, "/") {
				break // A number alone would be any network's.
			}
			if _, _, ok := n.Parse(text); ok {
				return n, nil
			}
		}
	}
	if link != "" {
		return posts.Network{}, &pg.InputError{Field: "url",
			Message: "this is not a link to a post on a known network; if it is, name the network"}
	}
	return posts.Network{}, &pg.InputError{Field: "network", Message: "an id needs a network; name it"}
}

func linkedPost(n posts.Network, link, host string) (p posts.New, err error) {
	key, created, ok := n.Parse(link)
	switch {
	case !ok || !strings.Contains(link, "/"):
		return p, &pg.InputError{Field: "url", Message: fmt.Sprintf("this is not a link to a post on %s", n.Title)}
	case host != "" && key.Host != host:
		return p, &pg.InputError{Field: "host", Message: "the link is to a different server than this"}
	}
	return posts.New{Key: key, URL: linkOf(link), CreatedAt: created}, nil
}

// linkOf is text if a page may link to it, "" otherwise.
func linkOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.String()
}

func lastPart(id string) string { return id[strings.LastIndex(id, "/")+1:] }
