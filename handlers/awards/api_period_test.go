package awards_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
)

// Each month is won again: the state is that of the current one, and the grants
// of all are there.
func TestAPIAwardsWithPeriods(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	monthly := strings.Replace(onePhoto, `"title"`, `"permanence":"live","window":{"every":"month","grace":"90d"},"levels":[{"title":"I","goal":1},{"title":"II","goal":2}],"title"`, 1)
	s.Activate(t, "monthly", strings.Replace(monthly, `"goal":1}}`, `"goal":2}}`, 1))
	this := time.Date(s.Time.Year(), s.Time.Month(), 1, 0, 0, 0, 0, time.UTC)
	last := this.AddDate(0, -1, 0)
	photo := func(id string, at time.Time) string {
		return strings.Replace(photoLine(id, ""), "2026-11-01T12:00:00Z", at.Format(time.RFC3339), 1)
	}
	s.Send(t, photo("a", last.AddDate(0, 0, 3)), photo("b", last.AddDate(0, 0, 4)), photo("c", this))
	got := s.Want(t, "ada", "monthly", "granted 1 of 2")
	if got.Period == nil || *got.Period != this.Format(time.DateOnly) || got.Level != 1 || len(got.Grants) != 3 || len(got.Missing) != 1 {
		t.Errorf("%+v", got)
	}
	s.Send(t, strings.NewReplacer(`"seq":1`, `"seq":2`, `"id":"c"`, `"id":"c2"`, "active", "blocked").Replace(photo("c", this)))
	if got := s.Want(t, "ada", "monthly", "revoked 0 of 2"); got.Level != 0 || got.GrantedAt != nil {
		t.Errorf("%+v", got)
	}
	hand := "/admin/members/ada/awards/monthly/"
	take := fmt.Sprintf(`{"note":"n","level":2,"period":"%s"}`, last.AddDate(0, 0, 20).Format(time.DateOnly))
	handlerstest.Read[handlerstest.Standing](t, s.Boss.Call("POST", hand+"revoke", take), http.StatusOK)
	held := map[string]int{}
	for _, g := range handlerstest.Read[handlerstest.Standing](t, s.Boss.Call("POST", hand+"grant", `{"note":"n"}`), http.StatusOK).Grants {
		if g.RevokedAt == nil {
			held[g.Period] = max(held[g.Period], g.Level)
		}
	}
	if held[last.Format(time.DateOnly)] != 1 || held[this.Format(time.DateOnly)] != 2 {
		t.Errorf("held %v", held)
	}
	s.Want(t, "ada", "monthly", "granted 0 of 2")
	s.Boss.Call("POST", hand+"grant", `{"note":"n","period":"November"}`).Refused(t, 422, "period")
	before := handlerstest.Program{T: t, Site: s.Site}.Call("GET", "/members/ada/awards", "").Header.Get("ETag")
	s.Time = this.AddDate(0, 1, 5)
	s.Want(t, "ada", "monthly", "not_started 0 of 2")
	if after := (handlerstest.Program{T: t, Site: s.Site}).Call("GET", "/members/ada/awards", "").Header.Get("ETag"); after == before {
		t.Error("a new month has the tag of the last one")
	}
}

// Of those who write at once from one version, one wins.
func TestAPIAwardsOneWriterWins(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t)
	handlerstest.Read[awardRead](t, s.Boss.Call("PUT", "/admin/awards/one", onePhoto), http.StatusCreated)
	var wg sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		wg.Go(func() {
			doc := strings.Replace(onePhoto, "One", fmt.Sprint("Title ", i), 1)
			statuses[i] = s.Boss.With("PUT", "/admin/awards/one", doc, "If-Match", `"1"`).StatusCode
		})
	}
	wg.Wait()
	won := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			won++
		} else if status != http.StatusConflict {
			t.Errorf("status %d", status)
		}
	}
	if got := handlerstest.Read[awardRead](t, s.Boss.Call("GET", "/admin/awards/one", ""), http.StatusOK); won != 1 || got.Latest != 2 {
		t.Errorf("%v, latest %d", statuses, got.Latest)
	}
}
