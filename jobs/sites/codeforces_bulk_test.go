package sites

import (
	"context"
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

func TestCodeforcesBulk(t *testing.T) {
	t.Parallel()
	const since = 1_700_000_000
	at := time.Unix(since, 0)
	get := &fake{t: t, serve: cfPeople(map[string]int64{"ada": since - 3600, "bob": since + 1, "cleo": since - 60, "hidden": 0})}
	found, err := codeforces{}.BulkCheck(t.Context(), get, []BulkAccount{{Handle: "Ada", Since: at}, {Handle: "gone", Since: at},
		{Handle: "bob", Since: at}, {Handle: "no handle", Since: at}, {Handle: "cleo", Since: at}, {Handle: "Gone2", Since: at},
		{Handle: "hidden", Since: at}})
	if want := []Finding{Quiet, Unknown, News, Unanswered, News, Unknown, Unanswered}; err != nil || !slices.Equal(found, want) {
		t.Errorf("found %v, %v; want %v", found, err, want)
	}
	if len(get.asked) != 3 { // Two handles are unknown.
		t.Errorf("%d requests: %v", len(get.asked), get.asked)
	}
	for _, page := range []Page{{503, []byte("<html>")},
		{400, []byte(`{"status":"FAILED","comment":"handles: User with handle somebody else not found"}`)},
		{200, []byte(`{"status":"FAILED","comment":"Call limit exceeded"}`)}} {
		found, err := codeforces{}.BulkCheck(t.Context(), &fake{t: t, serve: always(page.Status, string(page.Body))},
			[]BulkAccount{{Handle: "ada", Since: at}})
		if err == nil || found[0] != Unanswered {
			t.Errorf("%d %s: found %v without an error", page.Status, page.Body, found)
		}
	}
}

// A forms is a fake that takes forms: what is in one is as in an address.
type forms struct {
	*fake
	status int // Of the answers to forms; 0: they are taken.
	body   string
	asked  []string
}

func (f *forms) Ask(ctx context.Context, r Request) (Page, Header, error) {
	f.asked = append(f.asked, r.Body)
	if f.status != 0 || r.Header["Content-Type"] != "application/x-www-form-urlencoded" || len(r.Body) > 1<<16 {
		page := Page{Status: f.status, Body: []byte(f.body)}
		if f.status == 302 {
			return page, nil, errors.New("sent elsewhere with a question")
		}
		return page, nil, nil
	}
	page, err := f.Get(ctx, r.Address+"?"+r.Body)
	return page, nil, err
}

// As many as fit into an address are asked about in one; more in one form, and in
// several addresses, none of which is too long, where the site takes no forms.
func TestCodeforcesBulkOfMany(t *testing.T) {
	t.Parallel()
	online, accounts := map[string]int64{}, []BulkAccount(nil)
	_, atMost := codeforces{}.Batch()
	for i := range atMost {
		handle := fmt.Sprintf("somebody_with_a_name_%03d", i%1000)
		online[handle] = 1
		accounts = append(accounts, BulkAccount{Handle: handle, Since: time.Unix(1_700_000_000, 0)})
	}
	for _, tt := range []struct{ n, refused, forms, addresses int }{{60, 0, 0, 1}, {atMost, 0, 1, 1}, {atMost, 413, 1, 15},
		{atMost, 405, 1, 15}, {atMost, 302, 1, 15}} {
		get := &forms{fake: &fake{t: t, serve: cfPeople(online)}, status: tt.refused}
		found, err := codeforces{}.BulkCheck(t.Context(), get, accounts[:tt.n])
		if err != nil || slices.ContainsFunc(found, func(f Finding) bool { return f != Quiet }) {
			t.Errorf("%+v: found %v, %v", tt, found, err)
		}
		if len(get.asked) != tt.forms || len(get.fake.asked) != tt.addresses {
			t.Errorf("%+v: %d forms and %d addresses", tt, len(get.asked), len(get.fake.asked))
		}
		for _, address := range get.fake.asked {
			if len(address) > 2000+len("&checkHistoricHandles=false") && tt.forms != tt.addresses {
				t.Errorf("an address of %d letters", len(address))
			}
		}
	}
	delete(online, "somebody_with_a_name_007") // It is left out of the form, and the others are asked about again.
	get := &forms{fake: &fake{t: t, serve: cfPeople(online)}}
	if found, err := (codeforces{}).BulkCheck(t.Context(), get, accounts); err != nil || len(get.asked) != 2 || found[7] != Unknown ||
		found[8] != Quiet {
		t.Errorf("one is not known: %d forms, found %v, %v", len(get.asked), found[:10], err)
	}
	get = &forms{fake: &fake{t: t, serve: cfPeople(online)}, status: 400,
		body: `{"status":"FAILED","comment":"handles: Field should not be empty"}`}
	if found, err := (codeforces{}).BulkCheck(t.Context(), get, accounts[:100]); err != nil || found[7] != Unknown || found[8] != Quiet {
		t.Errorf("a server that reads no forms: found %v, %v", found[:10], err)
	}
	get = &forms{fake: &fake{t: t, serve: cfPeople(online)}, status: 400, body: `{"status":"FAILED","comment":"Call limit exceeded"}`}
	if _, err := (codeforces{}).BulkCheck(t.Context(), get, accounts); !errors.Is(err, ErrRateLimited) || len(get.fake.asked) > 0 {
		t.Errorf("a site that was asked too often: %v, %d addresses", err, len(get.fake.asked))
	}
	get = &forms{fake: &fake{t: t, serve: cfPeople(online)}, status: 503}
	if found, err := (codeforces{}).BulkCheck(t.Context(), get, accounts); err == nil || found[0] != Unanswered || len(get.fake.asked) > 0 {
		t.Errorf("a site that fails: found %v, %d addresses", found[0], len(get.fake.asked))
	}
}

func FuzzCodeforcesBulk(f *testing.F) {
	f.Add(200, `{"status":"OK","result":[{"handle":"ada","lastOnlineTimeSeconds":1700000000}]}`)
	f.Add(400, `{"status":"FAILED","comment":"handles: User with handle ada not found"}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		get := &fake{t: t, serve: always(status, body)}
		found, err := codeforces{}.BulkCheck(t.Context(), get, []BulkAccount{{Handle: "ada", Since: time.Unix(1_700_000_000, 0)},
			{Handle: "bob", Since: time.Time{}}})
		if len(found) != 2 || errors.Is(err, errEnough) {
			t.Errorf("%v, %v after %d requests", found, err, len(get.asked))
		}
	})
}
