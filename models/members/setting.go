package members

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Ways to become a member, chosen by the admin.
const (
	SignUpOpen       = "open"       // Anybody may sign up.
	SignUpInvitation = "invitation" // With a link from an admin.
	SignUpClosed     = "closed"     // Nobody.
)

// Keys of settings.
const (
	KeySignUp   = "sign_up"
	KeyAudience = "audience"
	keySetUp    = "set_up"
)

// A setting is a choice of the admins, by key.
type setting struct {
	Key   string `gorm:"primaryKey"`
	Value string
}

func readSetting(ctx context.Context, db *gorm.DB, key string) (string, error) {
	s, err := gorm.G[setting](db).Where("key = ?", key).Find(ctx)
	if err != nil {
		return "", fmt.Errorf("setting %s: %w", key, err)
	}
	if len(s) == 0 {
		return "", nil
	}
	return s[0].Value, nil
}

func writeSetting(ctx context.Context, db *gorm.DB, key, value string) error {
	err := db.WithContext(ctx).Exec(`INSERT INTO settings (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE
		SET value = EXCLUDED.value`,
		pg.Named("key", key, "value", value)).Error
	if err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	return nil
}

// SignUpMode returns how people become members: by invitation, until an admin
// chooses otherwise.
func SignUpMode(ctx context.Context, db *gorm.DB) (string, error) {
	mode, err := readSetting(ctx, db, KeySignUp)
	if mode == "" {
		mode = SignUpInvitation
	}
	return mode, err
}

// SetSignUpMode changes how people become members.
func SetSignUpMode(ctx context.Context, db *gorm.DB, mode string) error {
	if err := checkSignUpMode(mode); err != nil {
		return err
	}
	return writeSetting(ctx, db, KeySignUp, mode)
}

func checkSignUpMode(mode string) error {
	switch mode {
	case SignUpOpen, SignUpInvitation, SignUpClosed:
		return nil
	}
	return &pg.InputError{Field: "sign_up", Message: "choose who may sign up: anyone, people an admin invites, or nobody"}
}

// MembersOnly says whether the community is for its members only: until an admin chooses so, it is not.
func MembersOnly(ctx context.Context, db *gorm.DB) (bool, error) {
	value, err := readSetting(ctx, db, KeyAudience)
	return value == SeenByMembers, err
}

// SetMembersOnly changes whether the community is for its members only.
func SetMembersOnly(ctx context.Context, db *gorm.DB, only bool) error {
	if only {
		return writeSetting(ctx, db, KeyAudience, SeenByMembers)
	}
	return writeSetting(ctx, db, KeyAudience, SeenByEveryone)
}
