package reports_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/reports"
)

// waiting are the reports that wait of visitors, by address.
func waiting(t *testing.T, db *gorm.DB) map[string]int {
	t.Helper()
	var rows []struct {
		Visitor string
		N       int
	}
	err := db.Raw(`SELECT visitor, count(*) AS n FROM reports WHERE resolved_at IS NULL AND visitor IS NOT NULL GROUP BY visitor`).Scan(&rows).Error
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]int{}
	for _, r := range rows {
		list[r.Visitor] = r.N
	}
	return list
}

// Who sends many reports takes room from nobody: the queue of visitors keeps the first one of each address, and
// members' reports are not in it.
func TestQueueOfVisitors(t *testing.T) {
	t.Parallel()
	ctx, tx, now := t.Context(), modelstest.Tx(t), modelstest.Noon
	var about []members.Member
	for i := range 6 {
		about = append(about, modelstest.Member(t, tx, fmt.Sprint("m", i), nil, now))
	}
	add := func(by reports.Reporter, m int, at time.Time) error {
		return reports.Add(ctx, tx, by, reports.Thing{Member: &about[m].ID}, "because", at)
	}
	limited := func(err error) bool {
		coded, ok := errors.AsType[*pg.Error](err)
		return ok && coded.Code == pg.CodeLimited
	}
	for i := range 5 {
		if err := add(reports.Reporter{Visitor: "loud"}, i, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := add(reports.Reporter{Visitor: "loud"}, 5, now); !limited(err) {
		t.Errorf("a sixth report of one address in a day: %v", err)
	}
	if err := add(reports.Reporter{Member: about[1].ID}, 0, now); err != nil {
		t.Fatal(err)
	}
	for i := range 199 {
		if err := add(reports.Reporter{Visitor: fmt.Sprint("quiet ", i)}, 0, now); err != nil {
			t.Fatalf("the first report of address %d: %v", i, err)
		}
	}
	if list := waiting(t, tx); len(list) != 200 || list["loud"] != 1 {
		t.Errorf("%d addresses wait, the loud one with %d", len(list), list["loud"])
	}
	if err := add(reports.Reporter{Visitor: "late"}, 0, now); !limited(err) {
		t.Errorf("one more than the queue has: %v", err)
	}
	if list := waiting(t, tx); len(list) != 200 || list["late"] != 0 {
		t.Errorf("%d addresses wait, the late one with %d", len(list), list["late"])
	}
	if err := add(reports.Reporter{Member: about[2].ID}, 0, now); err != nil {
		t.Errorf("a member's report while visitors' wait: %v", err)
	}
	of, err := reports.Of(ctx, tx, reports.Filter{Visitors: true}, 1)
	if err != nil || len(of) != 1 {
		t.Fatal(of, err)
	}
	if err := reports.Resolve(ctx, tx, of[0].ID, "root", "read", now); err != nil {
		t.Fatal(err)
	}
	if err := add(reports.Reporter{Visitor: "later"}, 0, now); err != nil {
		t.Errorf("once there is room: %v", err)
	}
}
