package handlerstest

import (
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/notices"
)

const FirstPhoto = `{"slug":"first","title":"First <photo>","objectives":[{"id":"o",
	"filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
	"strategy":{"objective_id":"o","goal":1}}`

// EarnAward lets a member earn an award, and hear of it two minutes later.
func (s *Site) EarnAward(t *testing.T, member string) {
	t.Helper()
	doc, mistakes := rules.Parse([]byte(FirstPhoto))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	scheme := new(awards.Ruleset)
	for _, err := range []error{
		second(awards.Save(t.Context(), s.DB.DB, doc, awards.Edit{Author: "root", Basis: -1}, s.Time)),
		awards.Activate(t.Context(), s.DB.DB, doc.Slug, 0, s.Time),
		awards.GrantByHand(t.Context(), s.DB.DB, awards.ByHand{Member: member, Award: doc.Slug, Note: "for the test", Author: "root"},
			s.Time), second(awards.Evaluate(t.Context(), s.DB.DB, scheme, 100, s.Time)),
		second(notices.Release(t.Context(), s.DB.DB, notices.Ways{Mail: true, Webhook: true}, 100, s.Time.Add(2*time.Minute))),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s.Time = s.Time.Add(3 * time.Minute)
}

func second[T any](_ T, err error) error { return err }

// A Notice is what programs read of one.
type Notice struct {
	Kind, Text string
	Awards     []any
}
