package sites

import (
	"errors"
	"slices"
	"testing"
)

func TestUvaProfile(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"all of it", `[{"rank":47,"old":0,"userid":7,"name":" Ada Lovelace","username":"ada","ac":1200,"nos":3456,"activity":[0,1,2,3,4]}]`,
			`{"Rating":null,"Rank":{"Rank":47},"Counts":{"Solved":1200,"Submitted":3456},"Name":{"Name":"Ada Lovelace"},"Place":null,"Title":null}`},
		{"among neighbours", `[{"rank":46,"userid":6,"name":"Bo","ac":3,"nos":4},{"rank":47,"userid":7,"name":"Ada","ac":1,"nos":2}]`,
			`{"Rating":null,"Rank":{"Rank":47},"Counts":{"Solved":1,"Submitted":2},"Name":{"Name":"Ada"},"Place":null,"Title":null}`},
		{"no place, no name", `[{"rank":0,"userid":7,"name":"","ac":0,"nos":0}]`,
			`{"Rating":null,"Rank":{"Rank":null},"Counts":{"Solved":0,"Submitted":0},"Name":{"Name":null},"Place":null,"Title":null}`},
		{"the name is not shown", `[{"rank":1,"userid":7,"ac":0,"nos":0}]`,
			`{"Rating":null,"Rank":{"Rank":1},"Counts":{"Solved":0,"Submitted":0},"Name":null,"Place":null,"Title":null}`},
		{"not in the ranking", `[]`, `{"Rating":null,"Rank":null,"Counts":null,"Name":null,"Place":null,"Title":null}`},
	} {
		got, asked, err := profileOf(t, uva{}, Account{Handle: "ada", Key: "7"}, always(200, tt.body))
		if err != nil || got != tt.want {
			t.Errorf("%s: error %v\n got %s\nwant %s", tt.name, err, got, tt.want)
		}
		if want := []string{"https://uhunt.onlinejudge.org/api/ranklist/7/0/0"}; !slices.Equal(asked, want) {
			t.Errorf("%s: asked %q, want %q", tt.name, asked, want)
		}
	}
}

// Only the name's own number 0 proves that somebody is not there.
func TestUvaBadProfiles(t *testing.T) {
	for _, page := range []Page{
		{200, []byte(`null`)}, {200, []byte(`{}`)}, {200, []byte(`[null]`)}, {200, []byte(`[{}]`)}, {200, []byte(`0`)},
		{200, []byte(`[{"rank":1,"userid":8,"name":"Bo","ac":1,"nos":2}]`)},
		{200, []byte(`[{"rank":1,"userid":7,"name":"Ada","ac":1}]`)},
		{200, []byte(`[{"rank":null,"userid":7,"name":"Ada","ac":1,"nos":2}]`)},
		{200, []byte(`[{"rank":1,"userid":7,"name":"Ada","ac":-1,"nos":2}]`)},
		{200, []byte(`[{"rank":"1","userid":7,"name":"Ada","ac":1,"nos":2}]`)},
		{404, []byte(`[]`)},
	} {
		if got, _, err := profileOf(t, uva{}, Account{Handle: "ada", Key: "7"}, always(page.Status, string(page.Body))); !errors.Is(err,
			ErrFormat) {
			t.Errorf("%d %s: %s, error %v, want %v", page.Status, page.Body, got, err, ErrFormat)
		}
	}
	if _, asked, err := profileOf(t, uva{}, Account{Handle: "ada", Key: "7/../8"}, always(200, `[]`)); !errors.Is(err, ErrBadHandle) ||
		len(asked) > 0 {
		t.Errorf("a strange key: asked %q, error %v", asked, err)
	}
}

func FuzzUvaProfile(f *testing.F) {
	f.Add(200, `[{"rank":47,"old":0,"userid":7,"name":"Ada","username":"ada","ac":1200,"nos":3456,"activity":[0,1,2,3,4]}]`)
	f.Add(200, `[]`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		_, _, _ = profileOf(t, uva{}, Account{Handle: "ada", Key: "7"}, always(status, body))
	})
}
