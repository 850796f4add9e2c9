package polite

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// An Answer is what a program interface said, whatever its status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Call asks a program interface whose requests are counted by somebody else: it
// takes no slot, reads any status as an answer, and follows no redirect, for the
// token is for this host alone. An error is an *Error where there was no answer.
func (c *Client) Call(ctx context.Context, source, address, token string) (Answer, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return Answer{}, fmt.Errorf("address %q: not an http address", address)
	}
	host := u.Host
	if mirror := c.Mirrors[source]; mirror != nil {
		u.Scheme, u.Host = mirror.Scheme, mirror.Host
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Answer{}, fmt.Errorf("address %q: %w", address, err)
	}
	req.Header.Set("User-Agent", c.UserAgent)
	req.Header.Set("Accept", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return Answer{}, c.unreachable(ctx, host, "no connection", err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, c.MaxBytes+1))
	if err != nil {
		return Answer{}, c.unreachable(ctx, host, "the answer could not be read", err)
	}
	if int64(len(body)) > c.MaxBytes {
		return Answer{}, &Error{Kind: TooLarge, Message: fmt.Sprintf("the answer of %s is larger than %d MB", host, c.MaxBytes>>20)}
	}
	return Answer{res.StatusCode, res.Header, body}, nil
}
