package polite

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"sync/atomic"
	"syscall"
	"time"
)

// A RefusedError is an address we do not connect to.
type RefusedError struct{ Addr string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is not a public address, so Laurel does not connect to it (LAUREL_ALLOW_NETS can allow it)", e.Addr)
}

// special lists what is not public beyond what netip knows: IANA's special-purpose
// registries of IPv4, and of IPv6 within unicast6.
var special = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

// unicast6 is all of IPv6 that is given out. What lies beyond carries IPv4
// addresses in several forms (::7f00:1, 64:ff9b::7f00:1), or nobody's.
var unicast6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) (ps []netip.Prefix) {
	for _, t := range texts {
		ps = append(ps, netip.MustParsePrefix(t))
	}
	return ps
}

// Public says whether an address belongs to the public internet, or to one of
// the networks that the admin allows.
func Public(ip netip.Addr, allow []netip.Prefix) bool {
	ip = ip.Unmap().WithZone("")
	for _, p := range allow {
		if p.Contains(ip) {
			return true
		}
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is6() && !unicast6.Contains(ip) {
		return false
	}
	for _, p := range special {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

// Guarded returns an HTTP client that connects only where Public allows. The
// check is made on the address of the connection itself, after every lookup
// and on every redirect, so no name can lead around it. It follows no redirect
// and uses no proxy.
func Guarded(allow []netip.Prefix) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil || !Public(ap.Addr(), allow) {
				return &RefusedError{address}
			}
			return nil
		}}
	return &http.Client{
		Timeout: time.Minute,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second,
			ResponseHeaderTimeout:  30 * time.Second,
			MaxResponseHeaderBytes: 256 << 10, MaxIdleConnsPerHost: 2, IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// traced returns a context that notes when the answer begins, and how to ask for
// it; without an answer it is now. The gap to the next request counts from
// there: by then the host has surely had this one, so whatever slows a request
// on its way, two never reach a host closer together than the gap.
func (c *Client) traced(ctx context.Context) (context.Context, func() time.Time) {
	var at atomic.Pointer[time.Time]
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: func() {
		now := c.Now()
		at.Store(&now)
	}})
	return ctx, func() time.Time {
		if t := at.Load(); t != nil {
			return *t
		}
		return c.Now()
	}
}
