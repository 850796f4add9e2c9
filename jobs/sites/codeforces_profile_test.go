package sites

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

const cfNobody = `{"Rating":{"Rating":null,"Best":null},"Rank":null,"Counts":null,"Name":{"Name":null},"Place":{"Country":null,"Organisation":null},"Title":{"Title":null}}`

func TestCodeforcesProfileRecorded(t *testing.T) {
	body := recorded(t, "codeforces/user.info_tourist_2026-09-15.json")
	got, asked, err := profileOf(t, codeforces{}, Account{Handle: "Tourist"}, always(200, body))
	want := `{"Rating":{"Rating":3301,"Best":4009},"Rank":null,"Counts":null,"Name":{"Name":"Gennady Korotkevich"},` +
		`"Place":{"Country":"Belarus","Organisation":"ITMO University"},"Title":{"Title":"legendary grandmaster"}}`
	if err != nil || got != want {
		t.Errorf("error %v\n got %s\nwant %s", err, got, want)
	}
	if want := []string{"https://codeforces.com/api/user.info?handles=Tourist&checkHistoricHandles=false"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

func TestCodeforcesProfileRecordedNotFound(t *testing.T) {
	_, _, err := profileOf(t, codeforces{}, Account{Handle: "ada"}, always(400, recorded(t, "codeforces/user.info_not_found.json")))
	if !errors.Is(err, ErrNoHandle) {
		t.Errorf("error %v, want %v", err, ErrNoHandle)
	}
}

func TestCodeforcesProfile(t *testing.T) {
	for _, tt := range []struct{ name, user, want string }{
		{"unrated, and says nothing", `{"handle":"ada"}`, cfNobody},
		{"empty words", `{"handle":"ada","firstName":"","lastName":" ","country":"","organization":"\u0000"}`, cfNobody},
		{"last name alone, rating of zero", `{"handle":"ADA","lastName":" Lovelace ","rating":0,"maxRating":-5,"rank":"newbie"}`,
			`{"Rating":{"Rating":0,"Best":-5},"Rank":null,"Counts":null,"Name":{"Name":"Lovelace"},"Place":{"Country":null,"Organisation":null},"Title":{"Title":"newbie"}}`},
	} {
		got, _, err := profileOf(t, codeforces{}, Account{Handle: "ada"}, always(200, fmt.Sprintf(`{"status":"OK","result":[%s]}`, tt.user)))
		if err != nil || got != tt.want {
			t.Errorf("%s: error %v\n got %s\nwant %s", tt.name, err, got, tt.want)
		}
	}
}

func TestCodeforcesBadProfiles(t *testing.T) {
	for _, result := range []string{
		`[]`, `null`, `{}`, `[null]`, `[{}]`, `[{"handle":"bob"}]`, `[{"handle":"ada"},{"handle":"bob"}]`,
		`[{"handle":"ada","rating":"1500"}]`, `[{"handle":"ada","rating":1500.5}]`, `[{"handle":"ada","country":7}]`,
	} {
		body := fmt.Sprintf(`{"status":"OK","result":%s}`, result)
		if got, _, err := profileOf(t, codeforces{}, Account{Handle: "ada"}, always(200, body)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %s, error %v, want %v", result, got, err, ErrFormat)
		}
	}
}

func FuzzCodeforcesProfile(f *testing.F) {
	f.Add(200, `{"status":"OK","result":[{"handle":"ada","rating":1500,"maxRating":1600,"rank":"expert","firstName":"A\u0000da","country":"India"}]}`)
	f.Add(400, `{"status":"FAILED","comment":"handles: User with handle ada not found"}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		_, _, _ = profileOf(t, codeforces{}, Account{Handle: "ada"}, always(status, body))
	})
}
