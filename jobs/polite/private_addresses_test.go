package polite_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"laurel/jobs/polite"
)

// notPublic are addresses behind which something of ours may stand.
var notPublic = []string{
	"127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
	"100.64.0.1", "100.127.255.255",
	"192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1",
	"255.255.255.255",
	"::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0.0.0.0", "::ffff:169.254.169.254", "::ffff:0:7f00:1",
	"64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::7f00:1", "100::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1",
	"2002:7f00:1::", "2002:a00:1::1", "3fff::1", "5f00::1", "4000::1", "fc00::", "fd12:3456:789a::1", "fe80::1", "fe80::1%eth0", "fec0::1",
	"ff02::1", "::1%lo",
}

var public = []string{
	"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "198.17.255.255", "198.20.0.0", "192.0.1.1",
	"223.255.255.255",
	"::ffff:8.8.8.8", "2606:4700::6810:1", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888", "2400:cb00::1",
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for _, text := range notPublic {
		if polite.Public(netip.MustParseAddr(text), nil) {
			t.Errorf("%s counts as public", text)
		}
	}
	for _, text := range public {
		if !polite.Public(netip.MustParseAddr(text), nil) {
			t.Errorf("%s does not count as public", text)
		}
	}
	if polite.Public(netip.Addr{}, nil) {
		t.Error("no address at all counts as public")
	}
}

func TestPublicBySetting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		net, ip string
		want    bool
	}{
		{"127.0.0.0/8", "127.0.0.1", true}, {"127.0.0.0/8", "::ffff:127.0.0.1", true}, {"127.0.0.0/8", "::1", false},
		{"127.0.0.0/8", "10.0.0.1", false},
		{"127.0.0.1/32", "127.0.0.2", false}, {"::1/128", "::1", true}, {"::1/128", "::1%lo", true}, {"fd00::/8", "fd12::1", true},
		{"fd00::/8", "fc00::1", false},
		{"10.1.0.0/16", "10.1.2.3", true}, {"10.1.0.0/16", "10.2.2.3", false}, {"10.1.0.0/16", "9.9.9.9", true},
	} {
		if got := polite.Public(netip.MustParseAddr(tt.ip), []netip.Prefix{netip.MustParsePrefix(tt.net)}); got != tt.want {
			t.Errorf("%s with %s allowed: public = %t, want %t", tt.ip, tt.net, got, tt.want)
		}
	}
}

// The dialer refuses before a packet leaves, whatever the address looks like.
func TestGuardedRefuses(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	client := polite.Guarded(nil)
	hosts := []string{"localhost", "LOCALHOST", "127.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]", "[::1]",
		"169.254.169.254", "10.0.0.1",
		"100.64.0.1", "[64:ff9b::7f00:1]", "[fc00::]", "[2002:7f00:1::]", "[::7f00:1]", "[fe80::1%25lo]"}
	for _, host := range hosts {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+":"+port+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(req)
		if err == nil {
			_ = res.Body.Close()
		}
		// A machine may have no IPv6.
		if _, refused := errors.AsType[*polite.RefusedError](err); !refused && !errors.Is(err, syscall.EAFNOSUPPORT) {
			t.Errorf("%s: got %v, want it to be refused", host, err)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the server was reached %d times", n)
	}
}

// Names may be written as numbers in several ways; none leads around the guard.
func TestGuardedRefusesNumbers(t *testing.T) {
	t.Parallel()
	client := polite.Guarded(nil)
	for _, host := range []string{"2130706433", "0x7f.1", "0177.0.0.1", "127.1"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+":1/", nil)
		if err != nil {
			continue
		}
		res, err := client.Do(req)
		if err == nil {
			_ = res.Body.Close()
			t.Errorf("%s: somebody answered", host)
		} else if errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%s: a connection was tried: %v", host, err)
		}
	}
}

func TestGuardedAllows(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/there", http.StatusFound)
		}
	}))
	defer srv.Close()
	client := polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusFound {
		t.Errorf("status %d (%v), want the redirect itself: following is the caller's", res.StatusCode, err)
	}
}

// A proxy would make every check of an address moot.
func TestGuardedUsesNoProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	if tr := polite.Guarded(nil).Transport.(*http.Transport); tr.Proxy != nil {
		t.Error("the client asks the environment for a proxy")
	}
}

func TestRefusedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	if s := (&polite.RefusedError{Addr: "10.0.0.1:80"}).Error(); !strings.Contains(s, "10.0.0.1:80") ||
		!strings.Contains(s, "LAUREL_ALLOW_NETS") {
		t.Errorf("%q does not name the address and the way out", s)
	}
}
