package main

import (
	"context"
	"errors"
	"fmt"

	"laurel/models/badges"
	pg "laurel/models/db"
)

// badgeKey lists the keys that sign badges, makes another one, or makes void what
// a stolen one signed.
func badgeKey(ctx context.Context, s settings, args []string) error {
	renew, stolen := len(args) == 1 && args[0] == "new", len(args) == 2 && args[0] == "stolen"
	if len(args) > 0 && !renew && !stolen {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	switch {
	case renew:
		err = b.newBadgeKey(ctx)
	case stolen:
		err = b.distrustBadgeKey(ctx, args[1])
	}
	if err != nil {
		return err
	}
	keys, err := badges.AllKeys(ctx, b.db.DB)
	if err != nil {
		return err
	}
	for _, k := range keys {
		fmt.Println(k.Kid, keyWords(&k))
	}
	if len(keys) == 0 {
		fmt.Println("no key yet: the first badge creates it")
	}
	return nil
}

func (b *base) newBadgeKey(ctx context.Context) error {
	secret, err := b.readSecret()
	if err != nil {
		return err
	}
	return badges.NewKey(ctx, b.db.DB, secret, b.clock.now())
}

func (b *base) distrustBadgeKey(ctx context.Context, id string) error {
	err := badges.DistrustKey(ctx, b.db.DB, id, b.clock.now())
	if errors.Is(err, pg.ErrNotFound) {
		return fmt.Errorf("no key has the id %q; `laurel badge-key` lists them", id)
	}
	return err
}

func keyWords(k *badges.BadgeKey) string {
	made := "made " + k.CreatedAt.UTC().Format("2006-01-02")
	switch {
	case k.DistrustedAt != nil:
		return made + ", stolen: badges it signed are void"
	case k.RetiredAt != nil:
		return made + ", retired: badges it signed stay valid"
	}
	return made + ", signs"
}
