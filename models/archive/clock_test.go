package archive_test

import (
	"sync/atomic"
	"testing"
	"time"

	"laurel/models/archive"
	"laurel/models/modelstest"
)

// A response with a clock waits for another one of its groups, which is as new as this
// one was when it came; then its clock is asked, so it is newer.
func TestAClockIsAskedWhenNothingCanBeNewer(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	s := declare(t, db.DB, "clock", "player integer", "score integer")
	var now atomic.Int64
	now.Store(1)
	retrieval := func(page string, score int) archive.Response {
		return archive.Response{Source: "test", Address: page, At: minute(1), Own: true, Clock: func() time.Time { return minute(int(now.Load())) },
			Shards: map[string][]row{s.Name: {{"player": 1, "score": score}}}}
	}
	first := db.Begin()
	store(t, first, retrieval("a", 10))
	second := make(chan error, 1)
	go func() {
		_, err := archive.Store(t.Context(), db.DB, retrieval("b", 20), later)
		second <- err
	}()
	for waiting := 0; waiting == 0; {
		err := db.Raw(`SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`).Scan(&waiting).Error
		if err != nil || t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	now.Store(2)
	if err := first.Commit().Error; err != nil {
		t.Fatal(err)
	}
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	rows, err := archive.History(t.Context(), db.DB, s, archive.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || !rows[0].ValidFrom.Equal(minute(1)) || rows[0].ValidUntil == nil || !rows[0].ValidUntil.Equal(minute(2)) || !rows[1].ValidFrom.Equal(minute(2)) || rows[1].ValidUntil != nil {
		t.Errorf("the rows are %+v", rows)
	}
	sound(t, db.DB)
}
