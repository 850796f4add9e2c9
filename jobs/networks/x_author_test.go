package networks

import (
	"errors"
	"strings"
	"testing"
)

func TestXAccount(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		status     int
		legacy     bool
		want       string
		proof      bool
	}{
		{"found", `{"data":{"id":"2244994945","name":"d","username":"xdev"}}`, 200, false, "2244994945", false},
		{"found by v1.1", `{"id":2244994945,"id_str":"2244994945"}`, 200, true, "2244994945", false},
		{"nobody",
			`{"errors":[{"value":"x","detail":"Could not find user with username: [x].","type":"https://api.x.com/2/problems/resource-not-found"}]}`, 200, false, "", true},
		{"nobody in v1.1", `{"errors":[{"code":50,"message":"User not found."}]}`, 404, true, "", true},
		{"no such address", `{"errors":[{"code":34,"message":"Sorry, that page does not exist."}]}`, 404, true, "", false},
		{"nothing", `{"errors":[]}`, 200, false, "", false},
	} {
		got, err := x{}.Account(t.Context(), always(t, tt.status, tt.body), Credential{Legacy: tt.legacy}, "@xdev")
		if got != tt.want || errors.Is(err, ErrNoAccount) != tt.proof || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %q, error %v", tt.name, got, err)
		}
	}
}

func TestXNewer(t *testing.T) {
	page := func(next string, ids ...string) string {
		var rows []string
		for _, id := range ids {
			rows = append(rows, `{"id":"`+id+`","text":"t"}`)
		}
		return `{"data":[` + strings.Join(rows, ",") + `],"meta":{"result_count":1,"next_token":"` + next + `"}}`
	}
	none := `{"meta":{"result_count":0}}`
	for _, tt := range []struct {
		name, since string
		pages       []string
		want        string
		more        bool
	}{
		{"nothing new", "100", []string{none}, "", false},
		{"first look reads one page", "", []string{page("n", "103", "102")}, "103 102", false},
		{"two pages", "100", []string{page("n", "103", "102"), page("", "101")}, "103 102 101", false},
		{"a server that knows no since_id", "100", []string{page("n", "103", "100", "99")}, "103", false},
		{"the known one was deleted", "100", []string{page("n", "103", "99")}, "103", false},
		{"an old one is pinned", "100", []string{page("n", "5", "103"), page("", "101")}, "103 101", false},
		{"a next page for ever", "100", []string{page("n", "103"), page("m", "103")}, "103", false},
		{"too many", "1", []string{page("a", "109"), page("b", "108"), page("c", "107"), page("d", "106"), page("e", "105")},
			"109 108 107 106 105", true},
	} {
		posts, err := x{}.Newer(t.Context(), inTurn(t, tt.pages...), Credential{}, "12", tt.since)
		var got []string
		for _, p := range posts {
			got = append(got, p.ID)
		}
		if strings.Join(got, " ") != tt.want || errors.Is(err, ErrMore) != tt.more || err != nil && !tt.more {
			t.Errorf("%s: %v, error %v, want %s", tt.name, got, err, tt.want)
		}
	}
	if _, err := (x{}).Newer(t.Context(), inTurn(t, `{"errors":[]}`), Credential{}, "12", "1"); refused(t, err).Kind != Format {
		t.Errorf("no data and no count: %v", err)
	}
}
