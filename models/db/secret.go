package db

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
)

// A Secret seals what the database holds and nobody who reads it may know. It
// comes from outside the database: from the settings, or from a file. The zero
// Secret seals and opens nothing.
type Secret struct{ Key []byte }

// A SecretError says that something is sealed that this server cannot open, or
// cannot be sealed. Its words are for who runs the server.
type SecretError struct{ Message string }

func (e *SecretError) Error() string { return e.Message }

// Coded implements CodedError. Visitors do not learn how the server is set up.
func (e *SecretError) Coded() *Error {
	return &Error{Code: CodeUnavailable, Message: "This server cannot open its signing key, so it cannot issue badges right now. " +
		"Existing badges stay valid. The server log says how to fix it."}
}

// secretAtLeast is how many letters cannot be tried through, if they are random.
const secretAtLeast = 16

// NewSecret makes a secret of a text.
func NewSecret(text string) (Secret, error) {
	text = strings.TrimSpace(text)
	if len(text) < secretAtLeast {
		return Secret{}, fmt.Errorf("a secret key needs at least %d letters; `openssl rand -hex 32` makes a good one", secretAtLeast)
	}
	key, err := hkdf.Key(sha256.New, []byte(text), nil, "laurel: what the database holds sealed", 32)
	return Secret{key}, err
}

// String keeps a secret out of logs.
func (Secret) String() string { return "(secret)" }

// GoString does so, too.
func (Secret) GoString() string { return "(secret)" }

// Box returns the cipher of the key, or says that there is no key.
func (s Secret) Box() (cipher.AEAD, error) {
	if len(s.Key) == 0 {
		return nil, &SecretError{"there is no secret key: set LAUREL_SECRET_KEY, or let Laurel write into LAUREL_DATA, where it creates " +
			"one in secret.key"}
	}
	block, err := aes.NewCipher(s.Key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal encrypts a text (AES-256-GCM). It can be opened under the same name only,
// so that sealed texts cannot change places.
func (s Secret) Seal(name string, text []byte) ([]byte, error) {
	box, err := s.Box()
	if err != nil {
		return nil, err
	}
	return box.Seal(nil, nil, text, []byte(name)), nil //nolint:gosec // The nonce is not nil: this box makes a random one itself.
}

// ErrSealed is a text that was sealed with another secret, or changed since.
var ErrSealed = errors.New("sealed with another secret key, or changed since")

// Open opens what Seal closed under the same name.
func (s Secret) Open(name string, sealed []byte) ([]byte, error) {
	box, err := s.Box()
	if err != nil {
		return nil, err
	}
	text, err := box.Open(nil, nil, sealed, []byte(name))
	if err != nil {
		return nil, ErrSealed
	}
	return text, nil
}
