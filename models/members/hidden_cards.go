package members

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Hides says whether the member has taken a card off Today.
func (m *Member) Hides(card string) bool { return slices.Contains(strings.Fields(m.HiddenCards), card) }

// HideCards stores which cards a member has taken off Today.
func HideCards(ctx context.Context, db *gorm.DB, memberID int64, cards []string) error {
	err := db.WithContext(ctx).Exec(`UPDATE members SET hidden_cards = @cards WHERE id = @id`,
		pg.Named("cards", strings.Join(cards, " "), "id", memberID)).Error
	if err != nil {
		return fmt.Errorf("cards of member %d: %w", memberID, err)
	}
	return nil
}
