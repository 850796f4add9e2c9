package handlerstest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"laurel/handlers"
	"laurel/handlers/web"
	"laurel/models/members"
)

// Described is openapi.yaml, and the way from a request to its description.
var Described = sync.OnceValues(func() (*openapi3.T, routers.Router) {
	for _, mime := range []string{"application/x-ndjson", "application/atom+xml", web.LinkFormat} { // Texts, for the description.
		openapi3filter.RegisterBodyDecoder(mime, openapi3filter.PlainBodyDecoder)
	}
	doc, err := openapi3.NewLoader().LoadFromData(handlers.OpenAPIDocument)
	if err != nil {
		panic(err)
	}
	router, err := legacy.NewRouter(doc) // Validates the description itself, too.
	if err != nil {
		panic(err)
	}
	return doc, router
})

// CheckAnswer fails the test unless openapi.yaml describes the answer.
func CheckAnswer(t testing.TB, r *http.Request, status int, header http.Header, body string) {
	t.Helper()
	_, router := Described()
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

// A Program calls the JSON interface, and every answer is checked.
type Program struct {
	T     testing.TB
	Site  *Site
	Token string // "" calls without one.
}

// Program is one that acts for a member.
func (s *Site) Program(t *testing.T, of members.Member) Program {
	t.Helper()
	token, err := members.CreateToken(t.Context(), s.DB.DB, of.ID, "test", of.Role != members.RoleMember, s.Time)
	if err != nil {
		t.Fatal(err)
	}
	return Program{t, s, token}
}

// Call sends a request below /api/v1; without a body where it is "".
func (p Program) Call(method, path, body string) Answer {
	p.T.Helper()
	r := httptest.NewRequestWithContext(p.T.Context(), method, p.Site.URL+"/api/v1"+path, strings.NewReader(body))
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	w := httptest.NewRecorder()
	p.Site.Echo.ServeHTTP(w, r)
	CheckAnswer(p.T, r, w.Code, w.Result().Header, w.Body.String())
	return Answer{w.Result(), w.Body.String()}
}

// Refused fails the test unless the answer is this status about this field.
func (a Answer) Refused(t *testing.T, status int, field string) {
	t.Helper()
	var got struct {
		Error struct{ Code, Message, Field string }
	}
	if err := json.Unmarshal([]byte(a.Text), &got); err != nil || a.StatusCode != status || got.Error.Field != field {
		t.Errorf("answer %d %s (%v), want %d about the field %q", a.StatusCode, a.Text, err, status, field)
	}
}

// Read returns the answer's JSON.
func Read[T any](t *testing.T, a Answer, status int) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.Text), &v); err != nil || a.StatusCode != status {
		t.Fatalf("answer %d %s (%v), want %d", a.StatusCode, a.Text, err, status)
	}
	return v
}

// All reads a list to its end, n items at a time, and sees that no part has more.
func All[T any](t *testing.T, p Program, path, limit string) []T {
	t.Helper()
	var items []T
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	for next := ""; ; {
		l := Read[web.List[T]](t, p.Call("GET", path+sep+"limit="+limit+"&cursor="+next, ""), http.StatusOK)
		items = append(items, l.Items...)
		if next = l.Next; next == "" {
			return items
		}
		if len(items) > 10_000 {
			t.Fatalf("%s does not end", path)
		}
	}
}
