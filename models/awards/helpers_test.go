package awards_test

import "fmt"

// counting is an award with one objective that has these filters and this rule.
func counting(slug, filters, rule string) string {
	return fmt.Sprintf(`{"slug":%q,"title":"T","permanence":"live","objectives":[{"id":"o","filters":[%s],"rule":%s}],
		"strategy":{"objective_id":"o","goal":100}}`, slug, filters, rule)
}
