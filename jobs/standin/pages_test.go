package standin

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// read asks and parses; the structs here are the test's own, written after the recorded files.
func read[T any](t *testing.T, s *Server, address string) T {
	t.Helper()
	var v T
	status, body := ask(t, s, address)
	if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 {
		t.Fatalf("%s: status %d, %v: %.200s", address, status, err, body)
	}
	return v
}

// pagesOf are addresses about a person, one of each kind, for sites whose test registers them.
var pagesOf = map[string]func(p Person, handle string) []string{}

// addresses are questions about a person on all sites.
func addresses(p Person) []string {
	var all []string
	for _, j := range judges.All() {
		if pages, handle := pagesOf[j.name()], p.Handles[j.name()]; pages != nil && handle != "" {
			all = append(all, pages(p, handle)...)
		}
	}
	return all
}

// wantAnswers fails unless every address is answered with a status and a body.
func wantAnswers(t *testing.T, answers map[string]string) {
	t.Helper()
	s := at(start, Options{})
	for address, want := range answers {
		if status, body := ask(t, s, address); fmt.Sprint(status, " ", body) != want {
			t.Errorf("%s: %d %s, want %s", address, status, body, want)
		}
	}
}

// Every site says that somebody does not exist otherwise than it speaks of somebody, and it
// never breaks over it.
func TestUnknownHandles(t *testing.T) {
	s := at(start, Options{})
	for _, j := range judges.All() {
		pages := pagesOf[j.name()]
		if pages == nil {
			continue
		}
		known := s.People()[slices.IndexFunc(s.People(), func(p Person) bool { return p.Handles[j.name()] != "" && p.Trait == "daily" })]
		for i, address := range pages(Person{Index: 1 << 20}, "zz_nobody") {
			status, body := ask(t, s, address)
			_, other := ask(t, s, pages(known, known.Handles[j.name()])[i])
			if status >= 500 || body == other {
				t.Errorf("%s: %d %.80s", address, status, body)
			}
		}
	}
}
