package polite

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// classify says whether an answer is a page to read.
func (c *Client) classify(host string, res *http.Response, body []byte) error {
	retryAt := c.retryAt(res.Header.Get("Retry-After"))
	switch status := res.StatusCode; {
	case challenge(res, body):
		return &Error{Kind: Blocked, Message: host + " shows a Cloudflare challenge", RetryAt: retryAt}
	case status == http.StatusTooManyRequests:
		if retryAt.IsZero() {
			retryAt = c.Now().Add(c.divide(defaultPause))
		}
		return &Error{Kind: RateLimited, Message: host + " says there are too many requests (429)", RetryAt: retryAt}
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusUnavailableForLegalReasons:
		return &Error{Kind: Blocked, Status: status, Message: fmt.Sprintf("%s refuses access (%d)", host, status), RetryAt: retryAt}
	case status >= 500:
		return &Error{Kind: ServerError, Status: status, Message: fmt.Sprintf("%s has a server error (%d)", host, status), RetryAt: retryAt}
	}
	return nil
}

// challenge recognises Cloudflare's page for browsers. It comes with any of
// several statuses, 200 among them, and never is an answer about a handle. The
// script that Cloudflare puts into ordinary pages (challenge-platform/.../jsd)
// does not make one.
func challenge(res *http.Response, body []byte) bool {
	if res.Header.Get("Cf-Mitigated") == "challenge" {
		return true
	}
	head := bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), 64<<10)], []byte("\ufeff")))
	if len(head) == 0 || head[0] != '<' { // JSON may well speak of such a page.
		return false
	}
	return bytes.Contains(head, []byte("cf_chl_opt")) || bytes.Contains(head, []byte("<title>Just a moment...</title>")) ||
		bytes.Contains(head, []byte("/cdn-cgi/challenge-platform")) && bytes.Contains(head, []byte("/orchestrate/"))
}

// retryAt reads Retry-After: seconds or an HTTP date (RFC 9110, 10.2.3). It is
// zero where the header is absent or makes no sense.
func (c *Client) retryAt(header string) time.Time {
	header = strings.TrimSpace(header)
	if header == "" {
		return time.Time{}
	}
	var pause time.Duration
	if n, err := strconv.ParseUint(header, 10, 31); err == nil {
		pause = time.Duration(n) * time.Second
	} else if errors.Is(err, strconv.ErrRange) {
		pause = maxPause
	} else if at, err := http.ParseTime(header); err == nil {
		pause = at.Sub(c.Now())
	}
	if pause <= 0 {
		return time.Time{}
	}
	return c.Now().Add(c.divide(min(pause, maxPause)))
}
