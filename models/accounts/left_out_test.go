package accounts_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/accounts"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// A crowd is members and people without an account who have handles on Codeforces, with something in the archive.
type crowd struct {
	t     *testing.T
	db    *gorm.DB
	sites []members.Site
	now   time.Time
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	any := regexp.MustCompile(`^[A-Za-z]{1,9}$`)
	return &crowd{t, modelstest.DB(t), []members.Site{{Name: "codeforces", Title: "Codeforces", Handle: any}, {Name: "uva", Title: "UVa", Handle: any}},
		modelstest.Noon}
}

// custom is a person without an account whom a member added.
func (c *crowd) custom(by members.Member, name string, handles map[string]string) members.Member {
	c.t.Helper()
	m := members.Member{Name: name, Custom: true}
	if err := accounts.Add(c.t.Context(), c.db, c.sites, accounts.New{Member: &m, Handles: handles, By: &by}, c.now); err != nil {
		c.t.Fatal(err)
	}
	return m
}

// proves is somebody without an account who wrote their code on the site.
func (c *crowd) proves(handle string) *accounts.Proof {
	c.t.Helper()
	p, err := accounts.BeginProof(c.t.Context(), c.db, "codeforces", handle, "192.0.2.1", c.now)
	if err == nil {
		err = accounts.Prove(c.t.Context(), c.db, &p, "Codeforces", c.now)
	}
	if err == nil {
		p, err = accounts.ProofByKey(c.t.Context(), c.db, p.Key)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return &p
}

// has fails unless a query of one text, of all rows with commas between, gives want.
func (c *crowd) has(want, query string) {
	c.t.Helper()
	var got []string
	if err := c.db.Raw(query).Scan(&got).Error; err != nil || strings.Join(got, " ") != want {
		c.t.Errorf("%s: %q (%v), want %q", query, strings.Join(got, " "), err, want)
	}
}

const (
	holders  = `SELECT m.name || ':' || a.site FROM accounts a JOIN members m ON m.id = a.member_id ORDER BY 1`
	archived = `SELECT site || ':' || handle FROM shard_account_counts ORDER BY 1`
)

// archives stores what a page showed of accounts.
func (c *crowd) archives(site string, handles ...string) {
	c.t.Helper()
	for _, h := range handles {
		r := archive.Response{Source: site, Address: "https://" + site + "/" + h, At: c.now, Own: true,
			Shards: map[string][]shards.Row{"account_counts": {{"site": site, "handle": h, "solved": 3, "submitted": 5}}}}
		if _, err := archive.StoreAll(c.t.Context(), c.db, []archive.Response{r}, c.now); err != nil {
			c.t.Fatal(err)
		}
	}
}

// Who proves a handle and wants to be left out is gone: people without an account who had nothing else, the handle of all
// others, what could have come back, and what the archive had. Nobody gets the handle again until they allow it.
func TestLeaveOut(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	ctx := t.Context()
	ann := modelstest.Member(t, c.db, "ann", nil, c.now)
	bob := modelstest.Member(t, c.db, "bob", map[string]string{"codeforces": "Zoe", "uva": "bob"}, c.now)
	c.custom(ann, "zoe-cf", map[string]string{"codeforces": "zoe"})
	c.custom(ann, "zoe-both", map[string]string{"codeforces": "zoe", "uva": "zoe"})
	c.custom(bob, "yan", map[string]string{"codeforces": "yan"})
	c.archives("codeforces", "zoe", "yan")
	c.archives("uva", "zoe")
	p := c.proves("zoe")
	if h, err := accounts.HeldBy(ctx, c.db, p); err != nil || h.People != 3 || h.LeftOut || h.Shown || len(h.Pages) != 2 {
		t.Errorf("held by %+v (%v), want 3, two of them without an account", h, err)
	}
	for range 2 { // Again changes nothing.
		if err := accounts.LeaveOut(ctx, c.db, p, "Codeforces", c.now); err != nil {
			t.Fatal(err)
		}
		c.has("bob:uva yan:codeforces zoe-both:uva", holders)
		c.has("codeforces:yan uva:zoe", archived)
		c.has("ann bob yan zoe-both", `SELECT name FROM members ORDER BY 1`)
		c.has("", `SELECT handle FROM removed_accounts`)
		c.has("bob", `SELECT m.name FROM notices n JOIN members m ON m.id = n.member_id WHERE n.text LIKE 'Codeforces: the owner of zoe%'`)
	}
	again := func(m *members.Member, handle string) error {
		return accounts.SetHandles(ctx, c.db, c.sites, m.ID, map[string]string{"codeforces": handle}, c.now)
	}
	if field := modelstest.Field(t, again(&ann, "ZOE")); field != "accounts.codeforces" {
		t.Errorf("the field is %q", field)
	}
	if n, err := members.CreateAccounts(ctx, c.db, []members.NewAccount{{MemberID: ann.ID, Site: "codeforces", Handle: "zoe"}}, c.now); n != 0 || err != nil {
		t.Errorf("%d accounts were made (%v)", n, err)
	}
	if err := accounts.TakeBack(ctx, c.db, p, c.now); err != nil {
		t.Fatal(err)
	}
	if err := again(&ann, "zoe"); err != nil {
		t.Errorf("after it was taken back: %v", err)
	}
}

// Who claims a proved handle has it alone, is followed by who followed them without an account, and keeps what others
// know of them by other handles.
func TestClaim(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	ctx := t.Context()
	ann, bob := modelstest.Member(t, c.db, "ann", nil, c.now), modelstest.Member(t, c.db, "bob", nil, c.now)
	c.custom(ann, "zoe-cf", map[string]string{"codeforces": "zoe"})
	c.custom(bob, "zoe-both", map[string]string{"codeforces": "Zoe", "uva": "zoe"})
	liar := modelstest.Member(t, c.db, "liar", map[string]string{"codeforces": "zoe"}, c.now)
	zoe := modelstest.Member(t, c.db, "zoe", nil, c.now)
	p := c.proves("zoe")
	if err := accounts.LeaveOut(ctx, c.db, &accounts.Proof{Site: "codeforces", Handle: "zoe"}, "Codeforces", c.now); modelstest.Field(t, err) != "proof" {
		t.Errorf("without a proof: %v", err)
	}
	late := c.now.Add(time.Hour)
	for _, err := range []error{accounts.LeaveOut(ctx, c.db, p, "Codeforces", late), accounts.TakeBack(ctx, c.db, p, late),
		accounts.Claim(ctx, c.db, c.sites, p, &zoe, late)} {
		if modelstest.Field(t, err) != "proof" {
			t.Errorf("an hour after the proof: %v", err)
		}
	}
	if err := accounts.Claim(ctx, c.db, c.sites, p, &zoe, c.now); err != nil {
		t.Fatal(err)
	}
	c.has("zoe-both:uva zoe:codeforces", holders)
	c.has("zoe", `SELECT m.name FROM accounts a JOIN members m ON m.id = a.member_id WHERE a.proved_at IS NOT NULL`)
	c.has("ann>zoe bob>zoe", `SELECT a.name || '>' || b.name FROM follows f JOIN members a ON a.id = f.follower_id
		JOIN members b ON b.id = f.followed_id WHERE f.since IS NOT NULL ORDER BY 1`)
	var told int
	if err := c.db.Raw(`SELECT count(*) FROM notices WHERE member_id = ?`, liar.ID).Scan(&told).Error; err != nil || told != 1 {
		t.Errorf("told %d times (%v)", told, err)
	}
	_, err := accounts.ProofByKey(ctx, c.db, "nobody's")
	if err == nil || !strings.Contains(err.Error(), pg.ErrNotFound.Error()) {
		t.Errorf("a key of nobody: %v", err)
	}
}

// Codes for people without an account are limited by their network and by the handle.
func TestCodesForVisitorsAreLimited(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	taken := func(handle, address string) bool {
		t.Helper()
		_, err := accounts.BeginProof(ctx, tx, "codeforces", handle, address, modelstest.Noon)
		if err != nil && !strings.Contains(err.Error(), "too many codes") {
			t.Fatal(err)
		}
		return err == nil
	}
	for i := range 6 {
		if ok := taken("zoe"+string(rune('a'+i)), "192.0.2.1"); ok != (i < 5) {
			t.Errorf("code %d for one address: %t", i, ok)
		}
	}
	for i := range 12 {
		if ok := taken("yan", "192.0.2."+string(rune('2'+i))); ok != (i < 10) {
			t.Errorf("code %d for one handle: %t", i, ok)
		}
	}
}
