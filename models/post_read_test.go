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
	"laurel/models/modelstest"
)

func follow(t *testing.T, db *gorm.DB, posts ...models.NewPost) {
	t.Helper()
	if n, err := models.AddPosts(t.Context(), db, posts, noon); err != nil || n != len(posts) {
		t.Fatalf("%d of %d posts are new: %v", n, len(posts), err)
	}
}

// A filtered list looks only so far back at a time, and still comes to its end.
func TestFollowedPostsFarApart(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ids := []int64{1, 2, 200_001, 200_002, 900_000, 4_000_000, 9_999_999}
	for i, id := range ids {
		err := db.Exec(`INSERT INTO posts (id, network, external_id, created_at, added_at, state) OVERRIDING SYSTEM VALUE VALUES (@id, 'x', @name, @now, @now, @state)`,
			map[string]any{"id": id, "name": fmt.Sprint(id), "now": noon, "state": []string{"gone", "active"}[i%2]}).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []models.PostFilter{{}, {State: "gone"}, {State: "active", Network: "x"}, {Network: "y"}} {
		var want []string
		for i, id := range slices.Backward(ids) {
			if f.Network != "y" && (f.State == "" || f.State == []string{"gone", "active"}[i%2]) {
				want = append(want, fmt.Sprint(id))
			}
		}
		for _, limit := range []int{1, 2, 50} {
			var got []string
			parts := 0
			for cursor := (pg.Cursor{}); ; parts++ {
				posts, next, err := models.FollowedPosts(t.Context(), db, f, cursor, limit)
				if err != nil || len(posts) > limit || parts > 20 {
					t.Fatal(len(posts), parts, err)
				}
				for _, p := range posts {
					got = append(got, p.ExternalID)
				}
				if cursor = next; cursor == (pg.Cursor{}) {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v in parts of %d: %v, want %v", f, limit, got, want)
			}
		}
	}
}

func TestFindPost(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada := modelstest.Member(t, db, "ada", nil, noon)
	follow(t, db,
		models.NewPost{PostKey: models.PostKey{Network: "mastodon", Host: "a.example", ExternalID: "7"}, MemberID: &ada.ID},
		models.NewPost{PostKey: models.PostKey{Network: "mastodon", Host: "b.example", ExternalID: "7"}},
		models.NewPost{PostKey: models.PostKey{Network: "mastodon", Host: "b.example", ExternalID: "8"}},
		models.NewPost{PostKey: models.PostKey{Network: "x", ExternalID: "7"}, MemberID: &ada.ID})
	for _, tt := range []struct {
		key   models.PostKey
		owner string
		err   error
	}{
		{models.PostKey{Network: "x", ExternalID: "7"}, "ada", nil},
		{models.PostKey{Network: "mastodon", ExternalID: "8"}, "", nil},
		{models.PostKey{Network: "mastodon", Host: "A.Example", ExternalID: "7"}, "ada", nil},
		{models.PostKey{Network: "mastodon", ExternalID: "7"}, "", models.ErrManyHosts},
		{models.PostKey{Network: "x", ExternalID: "8"}, "", pg.ErrNotFound},
		{models.PostKey{Network: "x", ExternalID: "\xff\x00"}, "", pg.ErrNotFound},
	} {
		p, err := models.FindPost(t.Context(), db, tt.key)
		owner := ""
		if p.Owner != nil {
			owner = *p.Owner
		}
		if !errors.Is(err, tt.err) || owner != tt.owner || (p.FollowedBy() != nil) != (tt.owner != "") {
			t.Errorf("%s: %q, %v, want %q, %v", tt.key, owner, err, tt.owner, tt.err)
		}
	}
}

// What a post was called before its true name was known leads to it, also where
// that was followed already, and is not followed again.
func TestPostsByTheirOldNames(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada := modelstest.Member(t, db, "ada", nil, noon)
	key := func(host, id string) models.PostKey {
		return models.PostKey{Network: "mastodon", Host: host, ExternalID: id}
	}
	id := func(k models.PostKey) int64 {
		t.Helper()
		p, err := models.FindPost(t.Context(), db, k)
		if err != nil {
			t.Fatalf("%s: %v", k, err)
		}
		return p.ID
	}
	follow(t, db, models.NewPost{PostKey: key("copy.example", "1")}, models.NewPost{PostKey: key("other.example", "2"), MemberID: &ada.ID}, models.NewPost{PostKey: key("late.example", "3")}, models.NewPost{PostKey: key("home.example", "9")})
	home := key("home.example", "7")
	first, second, third, known := id(key("copy.example", "1")), id(key("other.example", "2")), id(key("late.example", "3")), id(key("home.example", "9"))
	for range 2 { // Again is no harm.
		lease := models.PostLease{ID: 7, From: noon, Until: noon.Add(time.Minute)}
		if err := db.Exec(`UPDATE posts SET lease_id = 7`).Error; err != nil {
			t.Fatal(err)
		}
		if err := models.MovePosts(t.Context(), db, lease, []models.PostMove{{ID: second, To: home}, {ID: first, To: home}, {ID: third, To: key("home.example", "9")}}, noon); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []models.PostKey{home, key("copy.example", "1"), key("other.example", "2"), key("", "1")} {
		if got := id(k); got != first {
			t.Errorf("%s is post %d, want %d", k, got, first)
		}
	}
	if got := id(key("late.example", "3")); got != known {
		t.Errorf("a copy of what is followed already is post %d, want %d", got, known)
	}
	n, err := models.AddPosts(t.Context(), db, []models.NewPost{{PostKey: key("copy.example", "1"), MemberID: &ada.ID}, {PostKey: home}, {PostKey: key("late.example", "3")}, {PostKey: key("new.example", "4")}}, noon)
	if err != nil || n != 1 {
		t.Errorf("%d are new, want 1 (%v)", n, err)
	}
	if p, err := models.FindPost(t.Context(), db, home); err != nil || p.Owner == nil || *p.Owner != "ada" {
		t.Errorf("%+v (%v)", p, err)
	}
	if err := models.ForgetPost(t.Context(), db, first); err != nil {
		t.Fatal(err)
	}
	if _, err := models.FindPost(t.Context(), db, key("copy.example", "1")); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("what is followed no more: %v", err)
	}
}

func TestTierOfAPost(t *testing.T) {
	t.Parallel()
	tiers, err := models.ParseTiers(models.DefaultTiers)
	if err != nil {
		t.Fatal(err)
	}
	for age, want := range map[time.Duration]string{-time.Minute: "18m", 0: "18m", 18 * time.Minute: "60m", 24 * time.Hour: "7d", 720 * time.Hour: ""} {
		p := models.Post{CreatedAt: noon.Add(-age), NextUpdateAt: new(noon)}
		if got := p.Tier(tiers, noon); got != want {
			t.Errorf("age %s: tier %q, want %q", age, got, want)
		}
		if p.NextUpdateAt = nil; p.Tier(tiers, noon) != "" {
			t.Errorf("age %s: a tier, and no look will come", age)
		}
	}
}

func TestAccountsAndHostsAreChecked(t *testing.T) {
	t.Parallel()
	one, many := models.Network{Title: "One"}, models.Network{Title: "Many", Hosts: true}
	for _, tt := range []struct {
		n            models.Network
		handle, host string
		want         string // "handle host", or the field that is wrong.
	}{
		{one, " @ada ", "", "ada "},
		{one, "ada.example", "", "ada.example "},
		{one, "did:plc:abc", "", "did:plc:abc "},
		{one, "a", "b.example", "host"},
		{one, "a@b.example", "", "handle"},
		{one, "", "", "handle"},
		{one, "a/b", "", "handle"},
		{many, "@ada@A.example:3000", "", "ada a.example:3000"},
		{many, "ada@a.example", "A.Example ", "ada a.example"},
		{many, "ada", "a.example", "ada a.example"},
		{many, "ada", "", "host"},
		{many, "ada@", "", "host"},
		{many, "@@a.example", "", "handle"},
		{many, "ada", "a..example", "host"},
		{many, "ada", "user@a.example", "host"},
		{many, "ada", strings.Repeat("a", 300), "host"},
	} {
		handle, host, err := tt.n.CheckAccount(tt.handle, tt.host)
		got := handle + " " + host
		if input, ok := errors.AsType[*pg.InputError](err); ok {
			got = input.Field
		}
		if got != tt.want {
			t.Errorf("%s %q %q: %q, want %q", tt.n.Title, tt.handle, tt.host, got, tt.want)
		}
	}
}
