package sites

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// cfPeople answers user.info as the API does: about all handles, or about the first
// one that it does not know.
func cfPeople(online map[string]int64) server {
	return func(_ int, u *url.URL) Page {
		var users []string
		for handle := range strings.SplitSeq(u.Query().Get("handles"), ";") {
			at, known := online[strings.ToLower(handle)]
			if !known {
				return Page{400, fmt.Appendf(nil, `{"status":"FAILED","comment":"handles: User with handle %s not found"}`, handle)}
			}
			users = append(users, fmt.Sprintf(`{"handle":%q,"lastOnlineTimeSeconds":%d}`, handle, at))
		}
		return Page{statusOK, []byte(`{"status":"OK","result":[` + strings.Join(users, ",") + `]}`)}
	}
}

func TestCodeforcesProbe(t *testing.T) {
	t.Parallel()
	const since = 1_700_000_000
	at := time.Unix(since, 0)
	get := &fake{t: t, serve: cfPeople(map[string]int64{"ada": since - 3600, "bob": since + 1, "cleo": since - 60, "hidden": 0})}
	found, err := codeforces{}.Probe(t.Context(), get, []Probed{{Handle: "Ada", Since: at}, {Handle: "gone", Since: at}, {Handle: "bob", Since: at}, {Handle: "no handle", Since: at}, {Handle: "cleo", Since: at}, {Handle: "Gone2", Since: at}, {Handle: "hidden", Since: at}})
	if want := []Finding{Quiet, News, News, Unsaid, News, News, Unsaid}; err != nil || !slices.Equal(found, want) {
		t.Errorf("found %v, %v; want %v", found, err, want)
	}
	if len(get.asked) != 3 { // Two handles are unknown.
		t.Errorf("%d requests: %v", len(get.asked), get.asked)
	}
	for _, page := range []Page{{503, []byte("<html>")}, {400, []byte(`{"status":"FAILED","comment":"handles: User with handle somebody else not found"}`)}, {200, []byte(`{"status":"FAILED","comment":"Call limit exceeded"}`)}} {
		found, err := codeforces{}.Probe(t.Context(), &fake{t: t, serve: always(page.Status, string(page.Body))}, []Probed{{Handle: "ada", Since: at}})
		if err == nil || found[0] != Unsaid {
			t.Errorf("%d %s: found %v without an error", page.Status, page.Body, found)
		}
	}
}

// Long lists are asked for in several addresses, none of which is too long.
func TestCodeforcesProbesMany(t *testing.T) {
	t.Parallel()
	online, accounts := map[string]int64{}, []Probed(nil)
	for i := range ProbeAtMost {
		handle := fmt.Sprintf("somebody_with_a_name_%03d", i)
		online[handle] = 1
		accounts = append(accounts, Probed{Handle: handle, Since: time.Unix(1_700_000_000, 0)})
	}
	get := &fake{t: t, serve: cfPeople(online)}
	found, err := codeforces{}.Probe(t.Context(), get, accounts)
	if err != nil || slices.ContainsFunc(found, func(f Finding) bool { return f != Quiet }) {
		t.Errorf("found %v, %v", found, err)
	}
	for _, address := range get.asked {
		if len(address) > 2000+len("&checkHistoricHandles=false") {
			t.Errorf("an address of %d letters", len(address))
		}
	}
	if len(get.asked) != 3 {
		t.Errorf("%d requests for %d handles", len(get.asked), len(accounts))
	}
}

func FuzzCodeforcesProbe(f *testing.F) {
	f.Add(200, `{"status":"OK","result":[{"handle":"ada","lastOnlineTimeSeconds":1700000000}]}`)
	f.Add(400, `{"status":"FAILED","comment":"handles: User with handle ada not found"}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		get := &fake{t: t, serve: always(status, body)}
		found, err := codeforces{}.Probe(t.Context(), get, []Probed{{Handle: "ada", Since: time.Unix(1_700_000_000, 0)}, {Handle: "bob", Since: time.Time{}}})
		if len(found) != 2 || errors.Is(err, errEnough) {
			t.Errorf("%v, %v after %d requests", found, err, len(get.asked))
		}
	})
}
