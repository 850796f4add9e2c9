package modelstest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/forums"
	"laurel/models/members"
)

// OwnURL is the address of Laurel in tests.
const OwnURL = "http://laurel.test"

// A MailWorld has forums to which messages come.
type MailWorld struct {
	*testing.T
	DB     *gorm.DB
	forums map[string]forums.Harvest
	n      int
}

// NewMailWorld makes forums.
func NewMailWorld(t *testing.T, db *gorm.DB, slugs ...string) *MailWorld {
	t.Helper()
	w := &MailWorld{T: t, DB: db, forums: map[string]forums.Harvest{}}
	for _, slug := range slugs {
		if _, _, err := forums.Add(t.Context(), db, forums.New{Slug: slug, Kind: "pipermail",
			URL: "https://lists.example.org/" + slug + "/"}, []string{"pipermail"}, Noon); err != nil {
			t.Fatal(err)
		}
		h, ok, err := forums.Claim(t.Context(), db, slug, mailLease, Noon)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		w.forums[slug] = h
	}
	return w
}

var mailLease = forums.Lease{ID: 7, Until: Noon.Add(time.Hour)}

// Letter is a message; author is "name <address>".
func (w *MailWorld) Letter(author string, links ...string) forums.NewMessage {
	w.n++
	name, address, _ := strings.Cut(strings.TrimSuffix(author, ">"), "<")
	at := Noon.Add(time.Duration(w.n) * time.Minute)
	return forums.NewMessage{URL: fmt.Sprintf("https://lists.example.org/%d.html", w.n), Author: strings.TrimSpace(name), Address: address,
		Subject: fmt.Sprint("Letter ", w.n), SentAt: &at, Body: "Hello", Links: links}
}

// Comes stores messages in a forum, given in the order in which they were written.
func (w *MailWorld) Comes(slug string, list ...forums.NewMessage) {
	w.Helper()
	h := w.forums[slug]
	slices.Reverse(list) // Archives are read backwards.
	got, err := h.Store(w.Context(), w.DB, forums.Batch{Messages: list, Own: OwnURL}, Noon.Add(24*time.Hour))
	if err != nil || got.New != len(list) {
		w.Fatal(got, err)
	}
}

// Says has an admin say who writes so; "" where that went well, else the field that was wrong.
func (w *MailWorld) Says(member int64, slug, name, address string) string {
	w.Helper()
	_, err := forums.AssignAuthor(w.Context(), w.DB, w.Author(member, slug, name, address), Noon)
	return Field(w.T, err)
}

func (w *MailWorld) Author(member int64, slug, name, address string) forums.MessageAuthor {
	a := forums.MessageAuthor{MemberID: member, Name: name, Address: address, AddedBy: "root"}
	if h, ok := w.forums[slug]; ok {
		a.ForumID = &h.Forum.ID
	}
	return a
}

// Wrote is who wrote the messages, the oldest first, "-" where nobody is known, with
// the side of the comparison behind it.
func (w *MailWorld) Wrote(want string) {
	w.Helper()
	list, _, err := forums.Messages(w.Context(), w.DB, forums.Filter{}, 500)
	if err != nil {
		w.Fatal(err)
	}
	var got []string
	for _, m := range list {
		who := m.Member
		if who == "" {
			who = "-"
		}
		if m.Selectand != "" {
			who += "=" + m.Selectand
		}
		got = append(got, who)
	}
	if words := strings.Join(got, " "); words != want {
		w.Errorf("written by %s, want %s", words, want)
	}
}

// About is what the newest message talks about.
func (w *MailWorld) About(want ...string) {
	w.Helper()
	list, _, err := forums.Messages(w.Context(), w.DB, forums.Filter{Since: -1}, 1)
	if err != nil || len(list) != 1 {
		w.Fatal(list, err)
	}
	var got []string
	for _, r := range list[0].References(members.Everything) {
		got = append(got, r.Kind+":"+r.Key)
	}
	if !slices.Equal(got, want) {
		w.Errorf("it is about %q, want %q", got, want)
	}
}
