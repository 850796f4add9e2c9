package members

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	pg "laurel/models/db"
)

// hashing is what one password costs: OWASP's second choice for argon2id.
var hashing = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashers lets two passwords be hashed at once, so that a flood of sign-ins costs
// two cores and 38 MiB and not the machine.
var hashers = make(chan struct{}, 2)

// nobody's password is checked where there is none, so that an unknown name
// takes as long as a known one.
const nobody = "$argon2id$v=19$m=19456,t=2,p=1$q7UjTtmDEzlXcuTfLwW8Zg$Uv0aXkwYkI2oCkqdXq6xkLD8hoUYyUn2oJg1bE8gN1s"

// CheckNewPassword returns an InputError for a password that is too short or too long.
func CheckNewPassword(password string) error {
	if utf8.RuneCountInString(password) < 8 {
		return &pg.InputError{Field: "password", Message: "use at least 8 characters; four random words make a good password"}
	}
	if len(password) > 256 {
		return &pg.InputError{Field: "password", Message: "use at most 256 bytes"}
	}
	return nil
}

// HashPassword returns what is stored of a password.
func HashPassword(ctx context.Context, password string) (string, error) {
	if err := takeHashingTurn(ctx); err != nil {
		return "", err
	}
	defer func() { <-hashers }()
	hash, err := argon2id.CreateHash(password, hashing)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// PasswordIs says whether password is the one that hash was made of. It takes
// the same time where hash is "", which no password fits.
func PasswordIs(ctx context.Context, password, hash string) (bool, error) {
	if len(password) > 256 {
		password = ""
	}
	if err := takeHashingTurn(ctx); err != nil {
		return false, err
	}
	defer func() { <-hashers }()
	against := hash
	if hash == "" {
		against = nobody
	}
	same, err := argon2id.ComparePasswordAndHash(password, against)
	if err != nil {
		return false, fmt.Errorf("check password: %w", err)
	}
	return same && hash != "", nil
}

func takeHashingTurn(ctx context.Context) error {
	select {
	case hashers <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for a turn to hash a password: %w", ctx.Err())
	}
}
