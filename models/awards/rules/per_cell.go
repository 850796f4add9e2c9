package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// perCell is a rule whose counter is the sum of what each cell is worth, so that
// the move of a cell is the move of the counter, whatever else there is.
type perCell interface{ worth(cell Amount) Amount }

func (*countRule) worth(cell Amount) Amount { return cell }

func (r *sumRule) worth(cell Amount) Amount {
	if r.MaxPerDay != nil {
		return min(cell, *r.MaxPerDay)
	}
	return cell
}

func (*uniqueRule) worth(cell Amount) Amount {
	if cell > 0 {
		return unit
	}
	return 0
}

// PerCell reports whether Moved is enough to keep the counters. Of the other
// rules all cells of a counter are needed: see Value.
func (o *Objective) PerCell() bool {
	_, ok := o.Rule.Config.(perCell)
	return ok
}

// Moved is by how much a counter changes when one of its cells does. It is for
// objectives that are PerCell.
func (o *Objective) Moved(was, now Amount) Amount {
	r := o.Rule.Config.(perCell)
	return r.worth(now) - r.worth(was)
}

// Counting names how the objective is counted in this award: while it stays, so
// do its counters. Its own name and the strategy are no part of it.
func (a *Award) Counting(o *Objective) string {
	text, err := json.Marshal([]any{o.Filters, o.Rule, a.Window, a.Backfill})
	if err != nil {
		panic("awards: an award that was checked can be written: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
