// Package community is what the admins say of the community: its name, logo and
// texts. Every page has the name, so all of a frame is one statement.
package community

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// DefaultName is what a community is called until an admin says otherwise.
const DefaultName = "Laurel"

// Keys of settings.
const (
	keyName    = "community_name"
	keyWelcome = "community_welcome"
	keyAbout   = "community_about"
	keyPrivacy = "community_privacy"
)

// How long names and texts may be, in letters.
const (
	longestName    = 40
	longestWelcome = 600
	longestPage    = 20_000
)

// A Frame is what every page shows.
type Frame struct {
	Name    string // Never "".
	Logo    string // The hash of the picture; "" for ours.
	Privacy bool   // There is a page about privacy.
	Unread  int    // Notices that the viewer has not read; at most 100.
}

// FrameOf returns what the pages of a viewer show; 0 is a visitor.
func FrameOf(ctx context.Context, db *gorm.DB, viewer int64) (f Frame, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("frame"), pg.Named("viewer", viewer)).Scan(&f).Error
	if err != nil {
		return Frame{Name: DefaultName}, fmt.Errorf("frame: %w", err)
	}
	if f.Name == "" {
		f.Name = DefaultName
	}
	return f, nil
}

// Texts are what the admins wrote. Paragraphs are apart by empty lines; "# " begins a heading and "- " a line of a list.
type Texts struct {
	Name    string // "" until somebody names it.
	Welcome string // For visitors, on the first page.
	About   string
	Privacy string
}

// TextsOf returns what the admins wrote.
func TextsOf(ctx context.Context, db *gorm.DB) (t Texts, err error) {
	var rows []struct{ Key, Value string }
	err = db.WithContext(ctx).Raw(`SELECT key, value FROM settings WHERE key LIKE 'community\_%'`).Scan(&rows).Error
	if err != nil {
		return t, fmt.Errorf("texts of the community: %w", err)
	}
	into := map[string]*string{keyName: &t.Name, keyWelcome: &t.Welcome, keyAbout: &t.About, keyPrivacy: &t.Privacy}
	for _, r := range rows {
		if text := into[r.Key]; text != nil {
			*text = r.Value
		}
	}
	return t, nil
}

// Save stores what an admin wrote. All that is too long is named at once.
func (t Texts) Save(ctx context.Context, db *gorm.DB) error {
	values := map[string]string{}
	var wrong []error
	for _, x := range []struct {
		key, field, text string
		most             int
	}{
		{keyName, "name", strings.Join(strings.Fields(t.Name), " "), longestName},
		{keyWelcome, "welcome", t.Welcome, longestWelcome},
		{keyAbout, "about", t.About, longestPage},
		{keyPrivacy, "privacy", t.Privacy, longestPage},
	} {
		text := strings.TrimSpace(strings.ReplaceAll(pg.CleanText(x.text), "\r\n", "\n"))
		if n := utf8.RuneCountInString(text); n > x.most {
			wrong = append(wrong, &pg.InputError{Field: x.field, Message: fmt.Sprintf("use at most %d letters; these are %d", x.most, n)})
		}
		values[x.key] = text
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		for key, value := range values {
			err := tx.Exec(`INSERT INTO settings (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
				pg.Named("key", key, "value", value)).Error
			if err != nil {
				return fmt.Errorf("setting %s: %w", key, err)
			}
		}
		return nil
	})
}
