package sites

import "strings"

// A wording is the status of verdicts that contain a word in small letters.
type wording struct{ word, status string }

// statusOf is the status of the first wording that a verdict contains, "" for none.
func statusOf(verdict string, wordings []wording) string {
	verdict = strings.ToLower(verdict)
	for _, w := range wordings {
		if strings.Contains(verdict, w.word) {
			return w.status
		}
	}
	return ""
}
