package handlers_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel/handlers"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
)

func TestRoutesAreDescribedAndTheOtherWayRound(t *testing.T) {
	t.Parallel()
	doc, _ := handlerstest.Described()
	var inDoc, inRoutes []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			inDoc = append(inDoc, method+" "+doc.Servers[0].URL+path)
		}
	}
	for _, r := range (&handlers.Handlers{}).Routes() {
		if !strings.HasPrefix(r.Path, "/api/v1/") {
			continue
		}
		inRoutes = append(inRoutes, r.Method+" "+braced(r.Path))
	}
	slices.Sort(inDoc)
	slices.Sort(inRoutes)
	if !slices.Equal(inDoc, inRoutes) {
		t.Errorf("openapi.yaml has\n%v\nand routes.go has\n%v", inDoc, inRoutes)
	}
}

func TestWhatChangesAsksForAToken(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	doc, _ := handlerstest.Described()
	for _, r := range s.Routes() {
		path, ok := strings.CutPrefix(r.Path, "/api/v1")
		if !ok {
			continue
		}
		operation := doc.Paths.Find(braced(path)).GetOperation(r.Method)
		if says := operation.Security != nil; says != asksForToken(r.Role) {
			t.Errorf("%s %s: openapi.yaml asks for a token: %t", r.Method, r.Path, says)
		}
		status := handlerstest.Program{T: t, Site: s}.Call(r.Method, strings.TrimPrefix(filled(r), "/api/v1"), "{}").StatusCode
		if asks := status == http.StatusUnauthorized; asks != asksForToken(r.Role) {
			t.Errorf("%s %s without a token: status %d", r.Method, r.Path, status)
		}
		if status := (handlerstest.Program{T: t, Site: s, Token: "laurel_revoked"}).Call(r.Method, strings.TrimPrefix(filled(r), "/api/v1"), "{}").StatusCode; status != http.StatusUnauthorized && r.Role != web.Public {
			t.Errorf("%s %s with a revoked token: status %d, want 401", r.Method, r.Path, status)
		}
	}
}

func asksForToken(r web.Role) bool {
	return slices.Contains([]web.Role{web.Member, web.Support, web.Admin, web.Pusher}, r)
}

// braced is a path as openapi.yaml writes it: /members/{name}.
func braced(path string) string { return pathParts.ReplaceAllString(path, "{$1}") }

var pathParts = regexp.MustCompile(`:(\w+)`)
