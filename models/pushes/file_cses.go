package pushes

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"laurel/models/submissions"
)

// csesTask is a problem's address on cses.fi.
var csesTask = regexp.MustCompile(`^(?:https?://cses\.fi)?/problemset/task/([0-9]{1,9})/?$`)

// readCSES reads the page cses.fi/problemset/ as one who is signed in sees it, or one's page of
// statistics: problems that are solved are marked as full. It shows no times and no numbers of
// submissions, so each problem is one row at a moment that nobody knows.
func readCSES(data []byte) (list []numbered, err error) {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("the page could not be read")
	}
	links, seen := doc.Find(`a[href*="/problemset/task/"]`), map[string]bool{}
	for i := range links.Nodes {
		a := links.Eq(i)
		href, _ := a.Attr("href")
		match := csesTask.FindStringSubmatch(href)
		if match == nil || seen[match[1]] || !a.HasClass("full") && a.Closest("li.task").Find(".task-score.full").Length() == 0 {
			continue
		}
		if len(list) == MaxRows {
			return nil, errTooMany
		}
		seen[match[1]] = true
		name := strings.TrimSpace(a.Text())
		if title, ok := a.Attr("title"); ok {
			name = strings.TrimSpace(title)
		}
		list = append(list, numbered{len(list) + 1, Input{Site: "cses", ID: text("solved/" + match[1]),
			Problem: ProblemInput{Key: text(match[1]), Name: name, URL: "https://cses.fi/problemset/task/" + match[1]},
			Status:  "AC", SubmittedAt: submissions.UnknownTime.Format(time.RFC3339)}})
	}
	if len(list) == 0 {
		return nil, errors.New("no solved problem is on this page; save cses.fi/problemset/ while you are signed in there")
	}
	return list, nil
}
