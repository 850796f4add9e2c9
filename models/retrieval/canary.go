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

// A Canary is a handle whose history is known, on a site. It is read daily like
// any other and compared: a page that changed in a way that no error tells shows
// in it.
type Canary struct {
	Site, Handle string
	Least        int             // Submissions that it has at least.
	EarliestAt   *time.Time      // Of its oldest submission; nil: not known.
	Known        json.RawMessage // [{id, at, status}]: the oldest and the newest of what is settled.
	CreatedAt    time.Time
	DueAt        time.Time
	LeaseID      string
	LeasedUntil  *time.Time
	CheckedAt    *time.Time // The newest look that ended.
	Outcome      string     // Of it; a list that is other than known was not understood.
	Message      string     // What is other than known, or why it could not be read.
	Seen         int        // Submissions at the last complete look.
}

// A CanaryList is what a complete fetch of a canary gave.
type CanaryList struct {
	Rows  []KnownRow
	Total int // Submissions that the site counts; 0 where it lists all of them.
	// Oldest is zero where the list is whole; else older rows fall off it.
	Oldest time.Time
}

// A KnownRow is what must not change of a submission.
type KnownRow struct {
	ID       string    `json:"id"`
	Formerly string    `json:"-"` // The id of a row whose number is not always shown.
	At       time.Time `json:"at"`
	Status   string    `json:"status"`
}

// AsKnown says whether the newest fetch found what is known.
func (c *Canary) AsKnown() bool { return c.CheckedAt != nil && c.Outcome == pg.OutcomeOK }

// nextCheck is when the canary is read again after a fetch at now that was as known
// or not. rate divides pauses.
func (c *Canary) nextCheck(asKnown bool, rate float64, now time.Time) time.Time {
	if asKnown {
		return now.Add(Day)
	}
	pause := time.Duration(float64(gracePeriod) / rate)
	if c.CheckedAt != nil && !c.AsKnown() {
		pause = max(pause, 2*c.DueAt.Sub(*c.CheckedAt))
	}
	return now.Add(min(pause, Day))
}

// Compare says in words what a complete list lacks or has other than known, ""
// where nothing, and names one submission where there is one to name.
func (c *Canary) Compare(l CanaryList) (amiss, example string, err error) {
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
		rows  []string
		words string
	}{{missing, "missing"}, {moved, "of another time"}, {judged, "judged otherwise"}} {
		if n := len(d.rows); n > 0 {
			wrong = append(wrong, fmt.Sprintf("%d of %d known submissions %s", n, len(known), d.words))
			example = cmp.Or(example, "submission "+d.rows[0])
		}
	}
	return strings.Join(wrong, "; "), example, nil
}

// differences are the known rows that the list does not show, that have another
// time, and that have another status. What has fallen off the list is not missed.
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

// learn remembers what will not change any more.
func (c *Canary) learn(l CanaryList, now time.Time) error {
	old := []KnownRow{}
	for _, r := range l.Rows {
		if r.Status != "PENDING" && r.At.Before(now.Add(-finalAfter)) {
			old = append(old, r)
		}
	}
	slices.SortFunc(old, func(a, b KnownRow) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
	})
	c.Least, c.EarliestAt = max(c.Least, len(old)), earliest(old)
	if n := len(old); n > 2*canaryRows {
		old = append(old[:canaryRows:canaryRows], old[n-canaryRows:]...)
	}
	text, err := json.Marshal(old)
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
