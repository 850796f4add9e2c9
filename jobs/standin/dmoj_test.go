package standin

import (
	"strings"
	"testing"
)

func init() {
	pagesOf["dmoj"] = func(_ Person, h string) []string {
		return []string{"/api/v2/submissions?user=" + h, "/api/v2/user/" + h}
	}
}

func TestDmojAnswers(t *testing.T) {
	open, closed := at(start, Options{}), at(start, Options{Token: "sesame"})
	for _, tt := range []struct {
		s       *Server
		address string
		status  int
		part    string
	}{
		{open, "/api/v2/user/nobody", 404, `"message":"page/object not found"`},
		{open, "/api/v2/submissions?user=nobody", 200, `"total_objects":0`},
		{open, "/api/v2/problems?page=99", 404, `"code":404`},
		{open, "/api/v2/contests?key=sac3&key=nothing", 200, `"total_objects":1`},
		{closed, "/api/v2/problems", 403, `"message":"login required"`},
	} {
		if status, body := ask(t, tt.s, tt.address); status != tt.status || !strings.Contains(body, tt.part) {
			t.Errorf("%s: %d %.200s, want %d and %s", tt.address, status, body, tt.status, tt.part)
		}
	}
}
