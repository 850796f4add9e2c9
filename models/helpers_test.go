package models_test

import (
	"fmt"
	"time"

	"laurel/models"
)

func second[T any](_ T, err error) error { return err }

// sub is a row of a site's list, some hours after noon.
func sub(id, problem, status string, hours int) models.Found {
	return models.Found{ID: id, At: noon.Add(time.Duration(hours) * time.Hour), ProblemKey: problem, ProblemName: "Sample " + problem, ProblemURL: "https://judge.example/" + problem,
		Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s/" + id}
}

// counting is an award with one objective that has these filters and this rule.
func counting(slug, filters, rule string) string {
	return fmt.Sprintf(`{"slug":%q,"title":"T","permanence":"live","objectives":[{"id":"o","filters":[%s],"rule":%s}],"strategy":{"objective_id":"o","goal":100}}`, slug, filters, rule)
}
