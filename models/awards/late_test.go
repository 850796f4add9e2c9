package awards_test

import (
	"strings"
	"testing"

	"laurel/models/modelstest"
)

// After a window has closed nothing more is won, and what is taken back follows
// the permanence of the award.
func TestLateEvents(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	for slug, permanence := range map[string]string{"live": "live", "good": "permanent"} {
		w.Runs(strings.Replace(strings.Replace(counting(slug, `{"name":"SourceFilter","config":{"sources":["photo"]}}`, `{"name":"CountRule"}`),
			`"permanence":"live"`, `"window":{"from":"2026-11-21","until":"2026-11-22","grace":"24h"},"permanence":"`+permanence+`"`, 1), `"goal":100`, `"goal":2`, 1))
	}
	w.Sends(modelstest.Item("photo", "a", 1, "active", 1, nil), modelstest.Item("photo", "b", 1, "active", 2, nil))
	w.Now = w.Now.AddDate(0, 0, 5)
	w.Sends(modelstest.Item("photo", "c", 1, "active", 3, nil)) // It happened in time, and came too late.
	w.Wants("ada", "live", "2 of 2, 1 since 12:02")
	w.Sends(modelstest.Item("photo", "b", 2, "active", 2, nil)) // An edit changes nothing.
	w.Wants("ada", "live", "2 of 2, 1 since 12:02")
	w.Sends(modelstest.Item("photo", "a", 2, "blocked", 4, nil))
	w.Wants("ada", "live", "1 of 2, 1 lost, was since 12:02")
	w.Wants("ada", "good", "2 of 2, 1 since 12:02")
}
