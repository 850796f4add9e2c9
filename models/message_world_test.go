package models_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/notices"
)

const ownURL = "http://laurel.test"

// A mailWorld has forums to which messages come.
type mailWorld struct {
	*testing.T
	db     *gorm.DB
	forums map[string]models.Forum
	n      int
}

func newMailWorld(t *testing.T, db *gorm.DB, slugs ...string) *mailWorld {
	t.Helper()
	w := &mailWorld{T: t, db: db, forums: map[string]models.Forum{}}
	for _, slug := range slugs {
		if _, _, err := models.AddForum(t.Context(), db, models.NewForum{Slug: slug, Kind: "pipermail", URL: "https://lists.example.org/" + slug + "/"}, []string{"pipermail"}, noon); err != nil {
			t.Fatal(err)
		}
		f, _, ok, err := models.ClaimForum(t.Context(), db, slug, mailLease, noon)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		w.forums[slug] = f
	}
	return w
}

var mailLease = models.ForumLease{ID: 7, Until: noon.Add(time.Hour)}

// letter is a message; author is "name <address>".
func (w *mailWorld) letter(author string, links ...string) models.NewMessage {
	w.n++
	name, address, _ := strings.Cut(strings.TrimSuffix(author, ">"), "<")
	at := noon.Add(time.Duration(w.n) * time.Minute)
	return models.NewMessage{URL: fmt.Sprintf("https://lists.example.org/%d.html", w.n), Author: strings.TrimSpace(name), Address: address, Subject: fmt.Sprint("Letter ", w.n), SentAt: &at, Body: "Hello", Links: links}
}

// comes stores messages in a forum, given in the order in which they were written.
func (w *mailWorld) comes(slug string, list ...models.NewMessage) {
	w.Helper()
	f := w.forums[slug]
	slices.Reverse(list) // Archives are read backwards.
	if got, err := models.StoreMessages(w.Context(), w.db, &f, mailLease, "", list, nil, ownURL, noon.Add(24*time.Hour)); err != nil || got.New != len(list) {
		w.Fatal(got, err)
	}
}

// says has an admin say who writes so; "" where that went well, else the field that was wrong.
func (w *mailWorld) says(member int64, slug, name, address string) string {
	w.Helper()
	_, err := models.SayAuthor(w.Context(), w.db, w.author(member, slug, name, address), noon)
	return fieldOf(w.T, err)
}

func (w *mailWorld) author(member int64, slug, name, address string) models.MessageAuthor {
	a := models.MessageAuthor{MemberID: member, Name: name, Address: address, AddedBy: "root"}
	if f, ok := w.forums[slug]; ok {
		a.ForumID = &f.ID
	}
	return a
}

func fieldOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	bad, ok := errors.AsType[*pg.InputError](err)
	if !ok {
		t.Fatal(err)
	}
	return bad.Field
}

// wrote is who wrote the messages, the oldest first, "-" where nobody is known, with
// the side of the comparison behind it.
func (w *mailWorld) wrote(want string) {
	w.Helper()
	list, _, err := models.Messages(w.Context(), w.db, models.MessageFilter{}, 500)
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

// about is what the newest message talks about.
func (w *mailWorld) about(want ...string) {
	w.Helper()
	list, _, err := models.Messages(w.Context(), w.db, models.MessageFilter{Since: -1}, 1)
	if err != nil || len(list) != 1 {
		w.Fatal(list, err)
	}
	var got []string
	for _, r := range list[0].References() {
		got = append(got, r.Kind+":"+r.Key)
	}
	if !slices.Equal(got, want) {
		w.Errorf("it is about %q, want %q", got, want)
	}
}

// confirmed lets a member have shown that an e-mail address is theirs.
func confirmed(t *testing.T, db *gorm.DB, member int64, address string) {
	t.Helper()
	err := notices.AskAddress(t.Context(), db, member, address, noon)
	if err == nil {
		err = db.Exec(`UPDATE notice_settings SET address = asked, confirmed_at = asked_at WHERE member_id = @id`, map[string]any{"id": member}).Error
	}
	if err != nil {
		t.Fatal(err)
	}
}
