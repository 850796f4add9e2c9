package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	pg "laurel/models/db"
)

// secretFile holds the secret key where the settings give none.
const secretFile = "secret.key"

// secret is what opens the sealed part of the database. Without one all else
// works, so a server that cannot keep one starts and says so.
func (b *base) secret() pg.Secret {
	secret, err := b.readSecret()
	if err != nil {
		b.log.Warn("no secret key: badges cannot be signed; set LAUREL_SECRET_KEY, or let Laurel write into LAUREL_DATA", "err", err)
	}
	return secret
}

func (b *base) readSecret() (pg.Secret, error) {
	if b.SecretKey != "" {
		return pg.NewSecret(b.SecretKey)
	}
	if b.Data == "" {
		return pg.Secret{}, errors.New("LAUREL_DATA is empty")
	}
	path := filepath.Join(b.Data, secretFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeSecret(path); err == nil {
			text, err = os.ReadFile(path)
		}
	}
	if err != nil {
		return pg.Secret{}, err
	}
	secret, err := pg.NewSecret(string(text))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return secret, err
}

// makeSecret writes a new secret key, for the owner of the file only. Of several
// processes the first one makes it, whole, and the others find it.
func makeSecret(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key)                                        // Never fails.
	f, err := os.CreateTemp(filepath.Dir(path), secretFile+".*") // Made for its owner only.
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.WriteString(hex.EncodeToString(key) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
