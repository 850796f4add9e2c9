package archive_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"laurel/models/archive"
	"laurel/models/modelstest"
)

// heard is a logger that keeps the statements that read rows of shards by their responses.
type heard struct {
	logger.Interface
	statements []string
}

func (h *heard) Trace(_ context.Context, _ time.Time, said func() (string, int64), _ error) {
	if sql, _ := said(); strings.Contains(sql, "json_build_array(t._from, t._until") {
		h.statements = append(h.statements, sql)
	}
}

// What is new is compared with the rows of the shards that it touched, however many others there are.
func TestCheckReadsOnlyWhatIsTouched(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	for i := range 45 {
		s := declare(t, db, fmt.Sprintf("many%d", i), "k integer", "v integer")
		at(t, db, s, "old", i, row{"k": 1, "v": 1})
	}
	before, err := archive.Check(t.Context(), db)
	if err != nil || before.Total != 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	store(t, db, archive.Response{Address: "new", At: minute(50), Shards: map[string][]row{"many7": {{"k": 1, "v": 2}}, "many30": {{"k": 2, "v": 2}}}})
	for want, corrupt := range []string{`SELECT 1`, `UPDATE shard_many30 SET v = 3 WHERE k = 2`} {
		if err := db.Exec(corrupt).Error; err != nil {
			t.Fatal(err)
		}
		h := &heard{Interface: logger.Discard}
		found, err := archive.CheckParts(t.Context(), db.Session(&gorm.Session{Logger: h}), archive.Part{Since: before.Newest})
		if err != nil || min(found.Total, 1) != want {
			t.Errorf("found %v, %v", found.Findings, err)
		}
		all := strings.Join(h.statements, "\n")
		if n := strings.Count(all, "FROM shard_many"); n != 2 || !strings.Contains(all, "FROM shard_many7\n") && !strings.Contains(all, "FROM shard_many7 ") {
			t.Errorf("rows of %d shards are read, want 2", n)
		}
	}
}
