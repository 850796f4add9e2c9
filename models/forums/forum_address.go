package forums

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// KindMbox is the kind of forum whose messages are uploaded as files: there is no
// address to ask, and nothing is ever due.
const KindMbox = "mbox"

// plainForumURL brings an address of a forum into the one form in which it is
// stored; false where it is none.
func plainForumURL(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || len(address) > 500 {
		return "", false
	}
	u.Host, u.Fragment = strings.ToLower(u.Host), ""
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	for _, name := range []string{"/index.html", "/index.htm", "/index.php"} {
		if strings.HasSuffix(u.Path, name) {
			u.Path = u.Path[:len(u.Path)-len(name)+1]
		}
	}
	if u.RawPath = ""; !strings.HasSuffix(u.Path, "/") && !strings.Contains(u.Path[strings.LastIndex(u.Path, "/")+1:], ".") {
		u.Path += "/"
	}
	return u.String(), true
}

// samePlace is what two addresses of one archive have in common, however they are
// written: with or without TLS, the slash at the end, a default port.
func samePlace(address string) string {
	plain, ok := plainForumURL(address)
	if !ok {
		return address
	}
	_, rest, _ := strings.Cut(plain, "://")
	return strings.TrimRight(rest, "/")
}

// forumAt returns the forum that is harvested at an address, however that is
// written, or ErrNotFound. Until the transaction ends nobody else adds one.
func forumAt(ctx context.Context, tx *gorm.DB, address string) (Forum, error) {
	tx = tx.WithContext(ctx)
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtext('forums'))`).Error; err != nil {
		return Forum{}, fmt.Errorf("lock the forums: %w", err)
	}
	all, err := All(ctx, tx)
	if err != nil {
		return Forum{}, err
	}
	for _, f := range all {
		if samePlace(f.URL) == samePlace(address) {
			return f, nil
		}
	}
	return Forum{}, pg.ErrNotFound
}
