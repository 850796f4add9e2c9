package sites

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A Key is a member's own key of a site's API.
type Key struct{ ID, Secret string }

// A Signer is a site that shows more to who signs a question with a key: what only that member may
// see.
type Signer interface {
	// Sign returns the address of a signed question. salt is six letters or digits that nobody can foresee.
	Sign(address string, k Key, salt string, at time.Time) string
}

// ErrKey is the site's word that it does not accept a key.
var ErrKey = errors.New("the site does not accept the API key")

// Sign signs as https://codeforces.com/apiHelp says: SHA-512 over salt, method, sorted parameters and secret.
func (codeforces) Sign(address string, k Key, salt string, at time.Time) string {
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(u.Path, "/api/") {
		return address
	}
	q := u.Query()
	q.Set("apiKey", k.ID)
	q.Set("time", strconv.FormatInt(at.Unix(), 10))
	sorted, _ := url.QueryUnescape(q.Encode()) // Encode sorts by key; what is signed is not escaped.
	sum := sha512.Sum512([]byte(salt + "/" + strings.TrimPrefix(u.Path, "/api/") + "?" + sorted + "#" + k.Secret))
	q.Set("apiSig", salt+hex.EncodeToString(sum[:]))
	u.RawQuery = q.Encode()
	return u.String()
}
