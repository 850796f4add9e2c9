package handlers

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"laurel/models/members"
)

// described is openapi.yaml, and the way from a request to its description.
var described = sync.OnceValues(func() (*openapi3.T, routers.Router) {
	doc, err := openapi3.NewLoader().LoadFromData(openAPIDocument)
	if err != nil {
		panic(err)
	}
	router, err := legacy.NewRouter(doc) // Validates the description itself, too.
	if err != nil {
		panic(err)
	}
	return doc, router
})

// checkAnswer fails the test unless openapi.yaml describes the answer.
func checkAnswer(t testing.TB, r *http.Request, status int, header http.Header, body string) {
	t.Helper()
	_, router := described()
	r = r.Clone(context.Background())
	r.URL.Scheme, r.URL.Host = "", "" // The description does not know where it is served.
	route, params, err := router.FindRoute(r)
	if err != nil {
		t.Errorf("%s %s is not described: %v", r.Method, r.URL, err)
		return
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 status, Header: header, Body: io.NopCloser(strings.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if err := openapi3filter.ValidateResponse(context.Background(), in); err != nil {
		t.Errorf("%s %s answers %d with what is not described: %v\n%s", r.Method, r.URL, status, err, body)
	}
}

// A program calls the JSON interface, and every answer is checked.
type program struct {
	t     testing.TB
	site  *site
	token string // "" calls without one.
}

// program is one that acts for a member.
func (s *site) program(t *testing.T, of members.Member) program {
	t.Helper()
	token, err := members.CreateToken(t.Context(), s.DB.DB, of.ID, "test", of.Role == members.RoleAdmin, s.now)
	if err != nil {
		t.Fatal(err)
	}
	return program{t, s, token}
}

// call sends a request below /api/v1; without a body where it is "".
func (p program) call(method, path, body string) answer {
	p.t.Helper()
	r := httptest.NewRequestWithContext(p.t.Context(), method, p.site.URL+"/api/v1"+path, strings.NewReader(body))
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	w := httptest.NewRecorder()
	p.site.echo.ServeHTTP(w, r)
	checkAnswer(p.t, r, w.Code, w.Result().Header, w.Body.String())
	return answer{w.Result(), w.Body.String()}
}

// refused fails the test unless the answer is this status about this field.
func (a answer) refused(t *testing.T, status int, field string) {
	t.Helper()
	var got struct {
		Error struct{ Code, Message, Field string }
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.StatusCode != status || got.Error.Field != field {
		t.Errorf("answer %d %s (%v), want %d about the field %q", a.StatusCode, a.body, err, status, field)
	}
}

// read returns the answer's JSON.
func read[T any](t *testing.T, a answer, status int) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), &v); err != nil || a.StatusCode != status {
		t.Fatalf("answer %d %s (%v), want %d", a.StatusCode, a.body, err, status)
	}
	return v
}

// all reads a list to its end, n items at a time, and sees that no part has more.
func all[T any](t *testing.T, p program, path, limit string) []T {
	t.Helper()
	var items []T
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	for next := ""; ; {
		l := read[List[T]](t, p.call("GET", path+sep+"limit="+limit+"&cursor="+next, ""), http.StatusOK)
		items = append(items, l.Items...)
		if next = l.Next; next == "" {
			return items
		}
		if len(items) > 10_000 {
			t.Fatalf("%s does not end", path)
		}
	}
}

// braced is a path as openapi.yaml writes it: /members/{name}.
func braced(path string) string { return pathParts.ReplaceAllString(path, "{$1}") }

var pathParts = regexp.MustCompile(`:(\w+)`)
