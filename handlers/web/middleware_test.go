package web

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"
)

// A subscriber's whole IPv6 network is one address; a proxy on this machine is
// believed where the address of the site says that there must be one.
func TestAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, from, forwarded, want string }{
		{"http://laurel.test", "203.0.113.7:1", "", "203.0.113.7"},
		{"http://laurel.test", "127.0.0.1:1", "198.51.100.1", "127.0.0.1"},
		{"http://laurel.test", "[2001:db8:1:2:3:4:5:6]:1", "", "2001:db8:1:2::/64"},
		{"https://laurel.test", "127.0.0.1:1", "10.0.0.1, 198.51.100.1", "198.51.100.1"},
		{"https://laurel.test", "203.0.113.7:1", "198.51.100.1", "203.0.113.7"},
	} {
		h := &Base{URL: tt.url}
		r, _ := http.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.from
		r.Header.Set("X-Forwarded-For", tt.forwarded)
		e := echo.New()
		e.IPExtractor = h.IPExtractor()
		if got := ClientAddress(e.NewContext(r, nil)); got != tt.want {
			t.Errorf("%+v: got %s", tt, got)
		}
	}
}
