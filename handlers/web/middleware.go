package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const (
	MaxBody    = 1 << 20
	maxRequest = 30 * time.Second // A page that takes longer is broken.
	slow       = time.Second
)

// ContentPolicy lets a page load only what we serve ourselves, and run no script or
// style that is in the page.
const ContentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// headers are sent with every answer. A handler may say more about caching.
func (h *Base) headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		set := c.Response().Header().Set
		set("Content-Security-Policy", ContentPolicy)
		set("X-Content-Type-Options", "nosniff")
		set("X-Frame-Options", "DENY")
		set("Referrer-Policy", "same-origin")
		set("Cross-Origin-Opener-Policy", "same-origin")
		set("Cross-Origin-Resource-Policy", "same-origin")
		set("Cache-Control", "private, no-cache")
		if h.HTTPS() {
			set("Strict-Transport-Security", "max-age=31536000")
		}
		return next(c)
	}
}

// log writes one line for a request that failed or was slow, and is where an
// error is handled, so that the line knows the status.
func (h *Base) log(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		err := next(c)
		if err != nil {
			c.Error(err)
		}
		took, status := time.Since(start), c.Response().Status
		if status >= 500 {
			h.Log.ErrorContext(c.Request().Context(), "request failed", "method", c.Request().Method, "route", c.Path(), "status", status,
				"err", err)
		} else if took > slow && c.Response().Header().Get("Content-Type") != "text/event-stream" {
			h.Log.WarnContext(c.Request().Context(), "slow request", "method", c.Request().Method, "route", c.Path(), "status", status,
				"took", took.Round(time.Millisecond))
		}
		return nil
	}
}

// recover makes a panic an error with its stack, so that one request fails and
// not the server.
func (h *Base) recover(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			r := recover()
			if cause, ok := r.(error); ok && errors.Is(cause, http.ErrAbortHandler) {
				panic(r)
			} else if r != nil {
				err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		return next(c)
	}
}

// limitBody refuses bodies of more bytes than the route allows, or that take
// for ever to come.
func limitBody(most int64, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, most)
		if r.ContentLength != 0 { // Not for streams, which have none: the server reads on to see whether they are still there.
			// Without deadlines in a test's recorder.
			_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(maxRequest))
		}
		return next(c)
	}
}

// crossOrigin refuses requests that change something and come from a foreign
// page. A request with a bearer token uses no cookie and cannot be forged.
func (h *Base) crossOrigin() echo.MiddlewareFunc {
	protection := http.NewCrossOriginProtection()
	if u, err := url.Parse(h.URL); err == nil && u.Host != "" {
		_ = protection.AddTrustedOrigin(u.Scheme + "://" + u.Host) // A proxy may have changed the Host header.
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if _, ok := bearer(c.Request()); ok {
				return next(c)
			}
			if protection.Check(c.Request()) != nil {
				return echo.NewHTTPError(http.StatusForbidden,
					"this request came from another site's page, so nothing was changed; open the page here and try again")
			}
			return next(c)
		}
	}
}

// deadline ends the work for a request that nobody waits for any more.
func (h *Base) deadline(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		ctx, cancel := context.WithTimeout(r.Context(), maxRequest)
		defer cancel()
		c.SetRequest(r.WithContext(ctx))
		defer c.SetRequest(r) // An error page is made later, when ctx has ended.
		return next(c)
	}
}

// IPExtractor says who asks. Laurel itself speaks plain HTTP, so an https
// address means that a proxy is in front of it; one on this machine is believed
// about whom it asks for, and nobody else is.
func (h *Base) IPExtractor() echo.IPExtractor {
	if !h.HTTPS() {
		return echo.ExtractIPDirect()
	}
	return echo.ExtractIPFromXFFHeader(echo.TrustLoopback(true), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false))
}

// ClientAddress is what limits count by: an IPv4 address, or the network that one
// IPv6 subscriber has.
func ClientAddress(c echo.Context) string {
	ip := net.ParseIP(c.RealIP())
	if ip == nil || ip.To4() != nil {
		return c.RealIP()
	}
	return ip.Mask(net.CIDRMask(64, 128)).String() + "/64"
}

// fromHere says whether a request was made on this machine itself and not
// passed on by a proxy.
func fromHere(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsLoopback() &&
		r.Header.Get("X-Forwarded-For") == "" && r.Header.Get("Forwarded") == "" && r.Header.Get("X-Real-IP") == ""
}

// HTTPS reports whether people reach Laurel over TLS.
func (h *Base) HTTPS() bool { return strings.HasPrefix(h.URL, "https://") }
