package forums_test

import (
	"testing"

	"gorm.io/gorm"

	"laurel/models/modelstest"
	"laurel/models/notices"
)

// confirmed lets a member have shown that an e-mail address is theirs.
func confirmed(t *testing.T, db *gorm.DB, member int64, address string) {
	t.Helper()
	err := notices.RequestAddress(t.Context(), db, member, address, modelstest.Noon)
	if err == nil {
		err = db.Exec(`UPDATE notice_settings SET address = new_address, confirmed_at = requested_at WHERE member_id = @id`, map[string]any{"id": member}).Error
	}
	if err != nil {
		t.Fatal(err)
	}
}
