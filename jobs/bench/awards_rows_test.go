package bench_test

import (
	"fmt"
	"testing"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"laurel/models/awards/rules"
)

// rowEvents is how many events the slow way is given.
const rowEvents = 2000

// rowByRow applies events as one writes it first: a transaction each, find,
// change, save, with the same effects but for late and stale events.
type rowByRow struct {
	b  *testing.B
	db *gorm.DB
	at int
}

type rowItem struct {
	Key     string `gorm:"primaryKey"`
	Member  string
	Seq     int64
	Status  string
	Object  string
	Body    string
	Counted bool
}

type rowCounter struct {
	Objective string `gorm:"primaryKey"`
	Member    string `gorm:"primaryKey"`
	Status    string `gorm:"primaryKey"`
	Cell      string `gorm:"primaryKey"`
	Amount    int64
}

type rowLog struct {
	ID                                  int64
	Member, Objective, Key, Was, Became string
}

type rowDirty struct {
	ID            int64
	Member, Award string
}

type rowOffset struct {
	ID int64 `gorm:"primaryKey"`
	At int64
}

func newRowByRow(b *testing.B, db *gorm.DB) *rowByRow {
	b.Helper()
	ok(b, db.AutoMigrate(&rowItem{}, &rowCounter{}, &rowLog{}, &rowDirty{}, &rowOffset{}))
	ok(b, db.Create(&rowOffset{ID: 1}).Error)
	return &rowByRow{b: b, db: db}
}

func (r *rowByRow) next(events []rules.Event) bool {
	e := &events[r.at]
	r.at++
	ok(r.b, r.db.Transaction(func(tx *gorm.DB) error {
		var old rowItem
		if err := tx.Limit(1).Find(&old, "key = ?", e.Key()).Error; err != nil {
			return err
		}
		if e.Seq > old.Seq || old.Key == "" {
			now := rowItem{Key: e.Key(), Member: e.Member, Seq: e.Seq, Status: e.Status, Object: e.Object, Body: fmt.Sprint(e), Counted: true}
			for _, objective := range []string{"photos", "places"} {
				if err := r.move(tx, objective, &old, &now); err != nil {
					return err
				}
			}
			if err := tx.Save(&now).Error; err != nil {
				return err
			}
			if err := tx.Create(&rowDirty{Member: e.Member, Award: "bench"}).Error; err != nil {
				return err
			}
		}
		return tx.Model(&rowOffset{ID: 1}).Update("at", r.at).Error
	}))
	return r.at < rowEvents
}

func (r *rowByRow) move(tx *gorm.DB, objective string, old, now *rowItem) error {
	for item, by := range map[*rowItem]int64{old: -1, now: 1} {
		if !item.Counted {
			continue
		}
		c := rowCounter{Objective: objective, Member: item.Member, Status: item.Status}
		if objective == "places" {
			c.Cell = item.Object
		}
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Limit(1).
			Find(&c, "objective = ? AND member = ? AND status = ? AND cell = ?", c.Objective, c.Member, c.Status, c.Cell).Error; err != nil {
			return err
		}
		c.Amount += by
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&c).Error; err != nil {
			return err
		}
	}
	return tx.Create(&rowLog{Member: now.Member, Objective: objective, Key: now.Key, Was: old.Status, Became: now.Status}).Error
}
