package members

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// SetLanguage stores in which language a member wants pages; "" is what their browser says.
func SetLanguage(ctx context.Context, db *gorm.DB, memberID int64, language string) error {
	err := db.WithContext(ctx).Exec(`UPDATE members SET language = @language WHERE id = @id`,
		pg.Named("language", language, "id", memberID)).Error
	if err != nil {
		return fmt.Errorf("language of member %d: %w", memberID, err)
	}
	return nil
}
