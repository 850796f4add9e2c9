package sites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Batch: nobody says how many aliases a question may have; others begin with twenty.
func (leetcode) Batch() (first, most int) { return 20, 100 }

// Probe asks for the newest row of each list, by aliases of one question. A list
// that begins with the row that is known has nothing new: a look would read the
// same list. One that begins with an older row, or with none, is looked at.
func (leetcode) Probe(ctx context.Context, get Getter, accounts []Probed) ([]Finding, error) {
	found := make([]Finding, len(accounts))
	variables := map[string]string{}
	var declared, asked []string
	for i, a := range accounts {
		if checkHandle(leetcodeInfo, a.Handle) != nil {
			continue
		}
		n := strconv.Itoa(i)
		variables["u"+n] = a.Handle
		declared = append(declared, "$u"+n+": String!")
		asked = append(asked, "r"+n+": recentSubmissionList(username: $u"+n+", limit: 1) { titleSlug timestamp statusDisplay }")
	}
	if len(asked) == 0 {
		return found, nil
	}
	body, err := json.Marshal(map[string]any{"query": "query newest(" + strings.Join(declared, ", ") + ") { " + strings.Join(asked, " ") + " }", "variables": variables})
	if err != nil {
		return found, err
	}
	answer, _, err := ask(ctx, get, Request{Address: leetcodeHome + "/graphql/", Body: string(body), Header: map[string]string{"Referer": leetcodeHome + "/"}})
	if err != nil {
		return found, err
	}
	lists, err := leetcodeNewest(answer)
	if err != nil {
		return found, fmt.Errorf("newest submissions of %d: %w", len(asked), err)
	}
	said := make([]Finding, len(accounts))
	for i, a := range accounts {
		n := strconv.Itoa(i)
		if _, was := variables["u"+n]; !was {
			continue
		}
		if said[i], err = leetcodeFound(lists["r"+n], a); err != nil {
			return found, fmt.Errorf("newest submission of %s: %w", a.Handle, err)
		}
	}
	return said, nil
}

// Words for a question that is too large.
var leetcodeTooMany = []string{"complex", "too many", "too large", "too long", "alias", "depth", "cost"}

// leetcodeNewest returns the lists of an answer by their aliases.
func leetcodeNewest(page Page) (map[string]json.RawMessage, error) {
	if page.Status == 400 || page.Status == 413 {
		return nil, fmt.Errorf("%w: status %d", ErrTooMany, page.Status)
	}
	data, err := leetcodeData(page)
	if errors.Is(err, ErrServer) {
		for _, word := range leetcodeTooMany {
			if strings.Contains(strings.ToLower(err.Error()), word) {
				return nil, fmt.Errorf("%w: %w", ErrTooMany, err)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	var lists map[string]json.RawMessage
	return lists, decode(data, &lists)
}

func leetcodeFound(text json.RawMessage, a Probed) (Finding, error) {
	switch string(text) {
	case "":
		return Unsaid, fmt.Errorf("%w: nothing about an account", ErrFormat)
	case "null": // Nobody, or nobody any more.
		return News, nil
	}
	subs, err := leetcodeRead(text, "")
	switch {
	case err != nil:
		return Unsaid, err
	case len(subs) == 0 && a.Newest.IsZero():
		return Unsaid, nil // An empty list proves nothing.
	case len(subs) == 0:
		return News, nil
	}
	if subs[0].Status != Pending && subs[0].At.Equal(a.Newest.Truncate(time.Second)) {
		return Quiet, nil
	}
	return News, nil
}
