package retrieval

import (
	"context"
	"crypto/rand"
	"errors"

	"laurel/jobs/sites"
	"laurel/models/accounts"
)

// readSigned reads the account with its member's own key, if it has one that the site accepts: so
// what only the member may see is read, too. One that the site refuses is not used any more, and the
// account is read as for everybody.
func (l *reading) readSigned(ctx context.Context) error {
	signer, ok := l.site.(sites.Signer)
	if !ok {
		return l.readAll(ctx)
	}
	k, ok, err := accounts.KeyOf(ctx, l.DB.DB, l.due.ID)
	if err != nil {
		return own(err)
	}
	if !ok || k.RefusedAt != nil {
		return l.readAll(ctx)
	}
	secret, err := k.Open(l.Secret)
	if err != nil { // It was sealed with another secret: the account is read all the same.
		l.Log.ErrorContext(ctx, "the key of an account cannot be opened", "account", l.due.String(), "err", err)
		return l.readAll(ctx)
	}
	l.get.sign = func(address string) string {
		return signer.Sign(address, sites.Key{ID: k.Key, Secret: secret}, rand.Text()[:6], l.Now())
	}
	err = l.readAll(ctx)
	l.get.sign = nil
	if !errors.Is(err, sites.ErrKey) {
		return err
	}
	if err := accounts.RefuseKey(ctx, l.DB.DB, &k, l.Now()); err != nil {
		return own(err)
	}
	return l.readAll(ctx)
}
