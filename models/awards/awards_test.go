package awards_test

import (
	"fmt"
	"strings"
	"testing"

	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

const traveller = `{"slug":"traveller","title":"Traveller","permanence":"live",
	"objectives":[
		{"id":"photo","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
		{"id":"reviews","filters":[{"name":"SourceFilter","config":{"sources":["reviews"]}},{"name":"ReviewsLengthFilter","config":{"allowed_length":100}}],"rule":{"name":"ReviewUniqueByObjectRule","config":{}}},
		{"id":"navi","filters":[{"name":"SourceFilter","config":{"sources":["navi"]}}],"rule":{"name":"SumRule","config":{"fact":"metres"}}}],
	"strategy":{"goal":15,"operation":"sum","strategy":[
		{"goal":5,"operation":"sum","strategy":[{"objective_id":"photo"},{"objective_id":"reviews"}]},
		{"goal":10,"operation":"sum","strategy":[{"objective_id":"navi","normalization_factor":0.001}]}]}}`

func TestAwardsFollowEvents(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada", "grace")
	w.Runs(traveller)
	long := rules.Facts{"text": strings.Repeat("ж", 101)}
	w.Sends(modelstest.Item("photo", "p1", 1, "active", 1, nil), modelstest.Item("photo", "p2", 1, "moderation", 2, nil), modelstest.Item("reviews", "r1", 1, "active", 3, long))
	w.Wants("ada", "traveller", "2 of 15")
	w.Sends(modelstest.Item("navi", "n1", 1, "active", 4, rules.Facts{"metres": rules.Units(9999)}))
	w.Wants("ada", "traveller", "11.999 of 15")
	w.Sends(modelstest.Item("photo", "p2", 2, "active", 5, nil), modelstest.Item("photo", "p3", 1, "active", 6, nil), modelstest.Item("photo", "p4", 1, "active", 7, nil), modelstest.Item("navi", "n2", 1, "active", 9, rules.Facts{"metres": rules.Units(1)}))
	w.Wants("ada", "traveller", "15 of 15, 1 since 12:09")
	w.Sends(modelstest.Item("photo", "p1", 2, "blocked", 10, nil))
	w.Wants("ada", "traveller", "14 of 15, 1 lost, was since 12:09")
	w.Sends(modelstest.Item("photo", "p1", 3, "active", 11, nil), modelstest.Item("photo", "p1", 2, "blocked", 10, nil))
	w.Wants("ada", "traveller", "15 of 15, 1 since 12:09")
	w.Wants("grace", "traveller", "")
	if out := w.Sends(modelstest.Item("photo", "p1", 3, "active", 11, nil)); out.Duplicate != 1 || out.Accepted != 0 {
		t.Errorf("sent again: %+v", out)
	}
}

func TestAwardsAreCountedAgain(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	for i := range 30 {
		w.Sends(modelstest.Item("photo", fmt.Sprint("p", i), 1, "active", i, nil))
	}
	w.Runs(`{"slug":"a","title":"A","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":10}}`)
	w.Works()
	w.Wants("ada", "a", "10 of 10, 1 since 12:09")
	w.Runs(`{"slug":"a","title":"A","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":40}}`)
	w.Works()
	w.Wants("ada", "a", "30 of 40, 1 lost, was since 12:09")
	w.Runs(`{"slug":"a","title":"A","objectives":[{"id":"o","filters":[{"name":"ObjectFilter","config":{"objects":["place p7"]}}],"rule":{"name":"UniqueByObjectRule"}}],"strategy":{"objective_id":"o","goal":1}}`)
	w.Works()
	w.Wants("ada", "a", "1 of 1, 1 since 12:09")
}
