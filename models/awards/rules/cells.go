package rules

import "fmt"

// Cells are what a member's items have contributed to one objective, by status
// and cell. They only ever add and subtract, so they are the same in whatever
// order items come, and what is taken back leaves nothing.
type Cells map[string]map[string]Amount

// Move takes back what an item contributed and adds what it contributes now.
// Below 0 means that something is taken back that never was there: a defect,
// and nothing is changed.
func (t Cells) Move(old, now Contribution) error {
	if old == now {
		return nil
	}
	if err := t.add(old, -old.Amount); err != nil {
		return err
	}
	if err := t.add(now, now.Amount); err != nil {
		_ = t.add(old, old.Amount) // It was there a moment ago, so it fits.
		return err
	}
	return nil
}

func (t Cells) add(c Contribution, by Amount) error {
	if by == 0 {
		return nil
	}
	sum, err := t[c.Status][c.Key].add(by)
	if err == nil && sum < 0 {
		err = fmt.Errorf("would fall to %s", sum)
	}
	if err != nil {
		return fmt.Errorf("counter %s, cell %q: %w", c.Status, c.Key, err)
	}
	if sum == 0 {
		delete(t[c.Status], c.Key)
		if len(t[c.Status]) == 0 {
			delete(t, c.Status)
		}
		return nil
	}
	if t[c.Status] == nil {
		t[c.Status] = map[string]Amount{}
	}
	t[c.Status][c.Key] = sum
	return nil
}

// Counters are what members see of cells: one number per status. That of
// active items is what a strategy computes with.
func (o *Objective) Counters(t Cells) map[string]Amount {
	counters := make(map[string]Amount, len(t))
	for status, cells := range t {
		if n := o.Rule.Config.Value(cells); n != 0 {
			counters[status] = n
		}
	}
	return counters
}
