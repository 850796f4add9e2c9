package modelstest_test

import (
	"laurel/models/modelstest"
	"testing"
)

func TestTxIsEmptyEachTime(t *testing.T) {
	for range 20 {
		t.Run("", func(t *testing.T) {
			tx := modelstest.Tx(t)
			var n int64
			if err := tx.Raw("SELECT count(*) FROM settings").Scan(&n).Error; err != nil || n != 0 {
				t.Fatal(n, err)
			}
			if err := tx.Exec("INSERT INTO settings VALUES ('a', 'b')").Error; err != nil {
				t.Fatal(err)
			}
		})
	}
}
func TestDB(t *testing.T) {
	for range 3 {
		t.Run("", func(t *testing.T) {
			modelstest.DB(t)
		})
	}
}
