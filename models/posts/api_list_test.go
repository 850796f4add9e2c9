package posts_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

func follow(t *testing.T, db *gorm.DB, list ...posts.New) {
	t.Helper()
	if n, err := posts.Add(t.Context(), db, list, modelstest.Noon); err != nil || n != len(list) {
		t.Fatalf("%d of %d posts are new: %v", n, len(list), err)
	}
}

// A filtered list looks only so far back at a time, and still comes to its end.
func TestFollowedPostsFarApart(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ids := []int64{1, 2, 200_001, 200_002, 900_000, 4_000_000, 9_999_999}
	for i, id := range ids {
		err := db.Exec(`INSERT INTO posts (id, network, external_id, created_at, added_at, state) OVERRIDING SYSTEM VALUE VALUES (@id, 'x', @name, @now, @now, @state)`,
			map[string]any{"id": id, "name": fmt.Sprint(id), "now": modelstest.Noon, "state": []string{"gone", "active"}[i%2]}).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []posts.Filter{{}, {State: "gone"}, {State: "active", Network: "x"}, {Network: "y"}} {
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
				list, next, err := posts.Followed(t.Context(), db, f, cursor, limit)
				if err != nil || len(list) > limit || parts > 20 {
					t.Fatal(len(list), parts, err)
				}
				for _, p := range list {
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
	ada := modelstest.Member(t, db, "ada", nil, modelstest.Noon)
	follow(t, db,
		posts.New{Key: posts.Key{Network: "mastodon", Host: "a.example", ExternalID: "7"}, MemberID: &ada.ID},
		posts.New{Key: posts.Key{Network: "mastodon", Host: "b.example", ExternalID: "7"}},
		posts.New{Key: posts.Key{Network: "mastodon", Host: "b.example", ExternalID: "8"}},
		posts.New{Key: posts.Key{Network: "x", ExternalID: "7"}, MemberID: &ada.ID})
	for _, tt := range []struct {
		key   posts.Key
		owner string
		err   error
	}{
		{posts.Key{Network: "x", ExternalID: "7"}, "ada", nil},
		{posts.Key{Network: "mastodon", ExternalID: "8"}, "", nil},
		{posts.Key{Network: "mastodon", Host: "A.Example", ExternalID: "7"}, "ada", nil},
		{posts.Key{Network: "mastodon", ExternalID: "7"}, "", posts.ErrManyHosts},
		{posts.Key{Network: "x", ExternalID: "8"}, "", pg.ErrNotFound},
		{posts.Key{Network: "x", ExternalID: "\xff\x00"}, "", pg.ErrNotFound},
	} {
		p, err := posts.Find(t.Context(), db, tt.key)
		if !errors.Is(err, tt.err) || p.Member != tt.owner || (p.Whose() != nil) != (tt.owner != "") {
			t.Errorf("%s: %q, %v, want %q, %v", tt.key, p.Member, err, tt.owner, tt.err)
		}
	}
}

// What a post was called before its true name was known leads to it, also where
// that was followed already, and is not followed again.
func TestPostsByTheirOldNames(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	ada := modelstest.Member(t, db, "ada", nil, modelstest.Noon)
	key := func(host, id string) posts.Key {
		return posts.Key{Network: "mastodon", Host: host, ExternalID: id}
	}
	id := func(k posts.Key) int64 {
		t.Helper()
		p, err := posts.Find(t.Context(), db, k)
		if err != nil {
			t.Fatalf("%s: %v", k, err)
		}
		return p.ID
	}
	follow(t, db, posts.New{Key: key("copy.example", "1")}, posts.New{Key: key("other.example", "2"), MemberID: &ada.ID}, posts.New{Key: key("late.example", "3")}, posts.New{Key: key("home.example", "9")})
	home := key("home.example", "7")
	first, second, third, known := id(key("copy.example", "1")), id(key("other.example", "2")), id(key("late.example", "3")), id(key("home.example", "9"))
	for range 2 { // Again is no harm.
		lease := posts.Lease{ID: 7, From: modelstest.Noon, Until: modelstest.Noon.Add(time.Minute)}
		if err := db.Exec(`UPDATE posts SET lease_id = 7`).Error; err != nil {
			t.Fatal(err)
		}
		if err := posts.MoveDue(t.Context(), db, lease, []posts.Move{{ID: second, To: home}, {ID: first, To: home}, {ID: third, To: key("home.example", "9")}}, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []posts.Key{home, key("copy.example", "1"), key("other.example", "2"), key("", "1")} {
		if got := id(k); got != first {
			t.Errorf("%s is post %d, want %d", k, got, first)
		}
	}
	if got := id(key("late.example", "3")); got != known {
		t.Errorf("a copy of what is followed already is post %d, want %d", got, known)
	}
	n, err := posts.Add(t.Context(), db, []posts.New{{Key: key("copy.example", "1"), MemberID: &ada.ID}, {Key: home}, {Key: key("late.example", "3")}, {Key: key("new.example", "4")}}, modelstest.Noon)
	if err != nil || n != 1 {
		t.Errorf("%d are new, want 1 (%v)", n, err)
	}
	if p, err := posts.Find(t.Context(), db, home); err != nil || p.Member != "ada" {
		t.Errorf("%+v (%v)", p, err)
	}
	if err := posts.Forget(t.Context(), db, first, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if _, err := posts.Find(t.Context(), db, key("copy.example", "1")); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("what is followed no more: %v", err)
	}
}

func TestTierOfAPost(t *testing.T) {
	t.Parallel()
	tiers, err := posts.ParseTiers(posts.DefaultTiers)
	if err != nil {
		t.Fatal(err)
	}
	for age, want := range map[time.Duration]string{-time.Minute: "18m", 0: "18m", 18 * time.Minute: "60m", 24 * time.Hour: "7d", 720 * time.Hour: ""} {
		p := posts.Post{CreatedAt: modelstest.Noon.Add(-age), NextUpdateAt: new(modelstest.Noon)}
		if got := p.Tier(tiers, modelstest.Noon); got != want {
			t.Errorf("age %s: tier %q, want %q", age, got, want)
		}
		if p.NextUpdateAt = nil; p.Tier(tiers, modelstest.Noon) != "" {
			t.Errorf("age %s: a tier, and no look will come", age)
		}
	}
}

func TestAccountsAndHostsAreChecked(t *testing.T) {
	t.Parallel()
	one, many := posts.Network{Title: "One"}, posts.Network{Title: "Many", Hosts: true}
	for _, tt := range []struct {
		n            posts.Network
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
