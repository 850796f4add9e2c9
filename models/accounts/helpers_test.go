package accounts_test

import (
	"regexp"
	"time"

	"laurel/models/members"
	"laurel/models/retrieval"
)

func second[T any](_ T, err error) error { return err }

var judgeSite = members.Site{Name: "judge", Title: "Judge", Handle: regexp.MustCompile(`^[a-z]{1,9}$`), Hint: "1 to 9 letters"}

// found is a submission of the problem that its id names.
func found(id string, at time.Time, status string) retrieval.Found {
	return retrieval.Found{ID: id, At: at, ProblemKey: "p" + id, ProblemName: "Problem " + id, ProblemURL: "https://judge.example/p" + id,
		Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s" + id}
}
