package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/views/texts"
)

// mistaken are forms of members and visitors as nobody should send them: the address, who, and what is in it.
var mistaken = []struct{ path, who, fields string }{
	{"/sign-in", "visitor", "name=zqopen&password=wrong-password"},
	{"/sign-up", "visitor", "name=&password=short"},
	{"/sign-up", "visitor", "name=a b&password=long-enough-1&time_zone=Nowhere/Land"},
	{"/my-handle", "visitor", "site=codeforces&handle="},
	{"/report", "visitor", "kind=member&subject=zqopen&reason="},
	{"/custom", "open", "name=&display_name="},
	{"/settings/person", "open", "display_name=&time_zone=Nowhere/Land"},
	{"/settings/handles", "open", "accounts.codeforces="},
	{"/settings/handles/add", "open", "handles=what is this"},
	{"/settings/address", "open", "address=no-address"},
	{"/settings/password", "open", "old=wrong&password=short"},
	{"/settings/visibility", "open", "seen_by=nobody"},
	{"/settings/tokens", "open", "label="},
	{"/settings/names", "open", "address="},
	{"/settings/key", "open", "key=none"},
	{"/settings/leave", "open", "password=wrong"},
	{"/settings/proof/codeforces/check", "open", ""},
	{"/u/zqopen/follow", "open", ""},
	{"/u/zqopen/block", "open", ""},
	{"/u/zqboards/retrieve", "open", ""},
	{"/u/zqopen/bring", "open", "text="},
	{"/u/zqopen/bring", "open", "text=this is no history"},
	{"/u/zqopen/bring/store", "open", "id=none"},
	{"/u/zqopen/posts", "open", "link="},
	{"/u/zqopen/posts/accounts", "open", "network=none&handle="},
	{"/u/zqopen/posts/accounts", "open", "network=mastodon&handle=a b"},
	{"/u/zqboards/posts", "open", "link="},
	{"/badges/verify", "visitor", "text=none"},
	{"/confirm-address", "visitor", "token=none"},
}

// What is wrong with a form is said in the language of who sent it.
func TestMistakesAreSaidInTheLanguageOfTheSender(t *testing.T) {
	t.Parallel()
	w := newMarkedWorld(t)
	w.reads(t, "zqopen")
	data := w.data(t)
	for _, form := range mistaken {
		browser := w.readers[form.who].browser
		browser.Cookies[texts.Cookie] = marked
		a := browser.Do(http.MethodPost, form.path, strings.NewReader(form.fields), "Content-Type", "application/x-www-form-urlencoded")
		if a.StatusCode < http.StatusBadRequest || a.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s with %q answers %d", form.path, form.fields, a.StatusCode)
		}
		for _, text := range unmarked(a.Text, data) {
			t.Errorf("%s with %q: %q", form.path, form.fields, text)
		}
	}
}
