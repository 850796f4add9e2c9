package retrieval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	pg "laurel/models/db"
)

// A Canary is a handle whose history is known, on a site. It is read daily and compared, which
// reveals changes of pages that cause no error.
type Canary struct {
	Site, Handle string
	Least        int             // It has at least so many submissions.
	EarliestAt   *time.Time      // Of its oldest submission; nil: not known.
	Known        json.RawMessage // [{id, at, status}]: the oldest and the newest of its final rows.
	CreatedAt    time.Time
	DueAt        time.Time
	LeaseID      string
	LeasedUntil  *time.Time
	CheckedAt    *time.Time // The newest reading.
	Outcome      string     // Of it; a list that differs is a parse_error.
	Message      string     // What differs, or why it could not be read.
	Seen         int        // Submissions in the last complete reading.
}

// A CanaryList is what a complete reading of a canary gave.
type CanaryList struct {
	Rows   []KnownRow
	Total  int       // Submissions that the site counts; 0 if it lists all of them.
	Oldest time.Time // Rows before it may have fallen off the list; zero if the list is whole.
}

// A KnownRow is what must not change of a submission.
type KnownRow struct {
	ID       string    `json:"id"`
	Formerly string    `json:"-"` // Its id while the site showed no number.
	At       time.Time `json:"at"`
	Status   string    `json:"status"`
}

// AsKnown says whether the newest reading found what is known.
func (c *Canary) AsKnown() bool { return c.CheckedAt != nil && c.Outcome == pg.OutcomeOK }

// nextCheck is when the canary is read again after a reading. rate divides pauses.
func (c *Canary) nextCheck(asKnown bool, rate float64, now time.Time) time.Time {
	if asKnown {
		return now.Add(Day)
	}
	pause := scaled(gracePeriod, rate)
	if c.CheckedAt != nil && !c.AsKnown() {
		pause = max(pause, 2*c.DueAt.Sub(*c.CheckedAt))
	}
	return now.Add(min(pause, Day))
}

// Compare describes how a complete list differs from what is known, with a submission as an example if
// there is one.
func (c *Canary) Compare(l CanaryList) (differs, example string, err error) {
	var known []KnownRow
	if err := json.Unmarshal(c.Known, &known); err != nil {
		return "", "", fmt.Errorf("canary %s on %s: %w", c.Handle, c.Site, err)
	}
	var wrong []string
	if n := max(len(l.Rows), l.Total); n < c.Least {
		wrong = append(wrong, fmt.Sprintf("%d of at least %d submissions", n, c.Least))
	}
	if first := earliest(l.Rows); l.Oldest.IsZero() && c.EarliestAt != nil && (first == nil || first.After(*c.EarliestAt)) {
		wrong = append(wrong, "nothing from "+c.EarliestAt.UTC().Format(time.DateOnly)+", when it began")
	}
	missing, moved, judged := l.differences(known)
	for _, d := range []struct {
		rows []string
		how  string
	}{{missing, "missing"}, {moved, "of another time"}, {judged, "judged otherwise"}} {
		if n := len(d.rows); n > 0 {
			wrong = append(wrong, fmt.Sprintf("%d of %d known submissions %s", n, len(known), d.how))
			example = cmp.Or(example, "submission "+d.rows[0])
		}
	}
	return strings.Join(wrong, "; "), example, nil
}

// differences are the known rows that are not in the list, have another time, or have another
// status. A row that has fallen off the list is not missing.
func (l CanaryList) differences(known []KnownRow) (missing, moved, judged []string) {
	shown := map[string]KnownRow{}
	for _, r := range l.Rows {
		shown[r.ID] = r
		if r.Formerly != "" {
			shown[r.Formerly] = r
		}
	}
	for _, k := range known {
		switch r, ok := shown[k.ID]; {
		case !ok && k.At.After(l.Oldest):
			missing = append(missing, k.ID)
		case !ok:
		case !r.At.Equal(k.At):
			is, was := r.At.UTC().Format(time.RFC3339), k.At.UTC().Format(time.RFC3339)
			moved = append(moved, fmt.Sprintf("%s: %s instead of %s", k.ID, is, was))
		case r.Status != k.Status:
			judged = append(judged, fmt.Sprintf("%s: %s instead of %s", k.ID, r.Status, k.Status))
		}
	}
	return missing, moved, judged
}

// learn remembers the rows that are final.
func (c *Canary) learn(l CanaryList, now time.Time) error {
	final := []KnownRow{}
	for _, r := range l.Rows {
		if r.Status != "PENDING" && r.At.Before(now.Add(-finalAfter)) {
			final = append(final, r)
		}
	}
	slices.SortFunc(final, func(a, b KnownRow) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
	})
	c.Least, c.EarliestAt = max(c.Least, len(final)), earliest(final)
	if n := len(final); n > 2*canaryRows {
		final = slices.Delete(final, canaryRows, n-canaryRows)
	}
	text, err := json.Marshal(final)
	c.Known = text
	return err
}

func earliest(rows []KnownRow) (first *time.Time) {
	for i := range rows {
		if at := &rows[i].At; first == nil || at.Before(*first) {
			first = at
		}
	}
	return first
}

// apply takes a reading in: what it found, what it learned, and when the next one is due. differs
// is what is not as known.
func (c *Canary) apply(res *Result, l CanaryList, rate float64, now time.Time) (differs string, err error) {
	message, example := pg.CleanText(res.Message), ""
	if res.Outcome == pg.OutcomeOK {
		if differs, example, err = c.Compare(l); err != nil {
			return "", err
		}
		if differs == "" {
			err = c.learn(l, now)
		} else {
			res.Outcome, message = pg.OutcomeParseError, differs
		}
		if example != "" {
			message += " (" + pg.CleanText(example) + ")"
		}
		c.Seen = max(len(l.Rows), l.Total)
	}
	due := *later(&res.RetryAt, new(c.nextCheck(res.Outcome == pg.OutcomeOK, rate, now)))
	c.DueAt, c.CheckedAt, c.Outcome, c.Message = due, &now, res.Outcome, message
	return differs, err
}

// publicMessage is what everybody reads of a reading that failed. Only admins know whose history it
// is, and errors may name the handle.
func (c *Canary) publicMessage(differs string) string {
	switch {
	case c.Outcome == pg.OutcomeOK:
		return ""
	case differs != "":
		return "a known history is not what it was: " + differs
	case c.Outcome == pg.OutcomeNotFound:
		return "the site says that there is no handle whose history is known"
	case c.Outcome == pg.OutcomeParseError:
		return "a page of a known history could not be read"
	}
	return "a known history could not be asked for"
}
