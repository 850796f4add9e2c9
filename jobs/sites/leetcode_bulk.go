package sites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Batch: nobody says how many aliases a question may have; others begin with twenty.
func (leetcode) Batch() (first, most int) { return 20, 100 }

// BulkCheck asks for the newest row of each, by aliases of one question. A list that
// begins with the row that is known has nothing new. One that begins with another
// row, or with none, may have.
func (leetcode) BulkCheck(ctx context.Context, get Getter, accounts []BulkAccount) ([]Finding, error) {
	found := make([]Finding, len(accounts))
	variables := map[string]any{"limit": 1}
	var declared, asked strings.Builder
	for i, a := range accounts {
		if checkHandle(leetcodeInfo, a.Handle) != nil {
			continue
		}
		variables[fmt.Sprint("u", i)] = a.Handle
		fmt.Fprintf(&declared, ", $u%d: String!", i)
		fmt.Fprintf(&asked, " r%d: recentSubmissionList(username: $u%[1]d, limit: $limit) %[2]s", i, leetcodeRows)
	}
	if asked.Len() == 0 {
		return found, nil
	}
	body, err := json.Marshal(map[string]any{"query": "query many($limit: Int!" + declared.String() + ") {" + asked.String() + " }",
		"variables": variables})
	if err != nil {
		return found, err
	}
	answer, _, err := ask(ctx, get, Request{Address: leetcodeHome + "/graphql/", Body: string(body),
		Header: map[string]string{"Referer": leetcodeHome + "/"}})
	if err != nil {
		return found, err
	}
	parts, err := leetcodeParts(answer)
	if err != nil {
		return found, fmt.Errorf("lists of %d: %w", len(variables)-1, err)
	}
	said := make([]Finding, len(accounts))
	for i, a := range accounts {
		if variables[fmt.Sprint("u", i)] == nil {
			continue
		}
		if said[i], err = leetcodeFound(parts[fmt.Sprint("r", i)], a); err != nil {
			return found, fmt.Errorf("newest submission of %s: %w", a.Handle, err)
		}
	}
	return said, nil
}

// Words for a question that is too large.
var leetcodeTooMany = []string{"complex", "too many", "too large", "too long", "alias", "depth", "cost"}

// leetcodeParts returns the parts of an answer by their aliases.
func leetcodeParts(page Page) (map[string]json.RawMessage, error) {
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
	var parts map[string]json.RawMessage
	return parts, decode(data, &parts)
}

func leetcodeFound(text json.RawMessage, a BulkAccount) (Finding, error) {
	switch string(text) {
	case "":
		return Unanswered, fmt.Errorf("%w: nothing about an account", ErrFormat)
	case "null": // Nobody, or nobody any more.
		return News, nil
	}
	read, err := leetcodeRead(text, "")
	subs := read.rows
	switch {
	case err != nil:
		return Unanswered, err
	case len(read.unread) > 0:
		return Unanswered, read.first
	case len(subs) == 0 && a.Newest.IsZero():
		return Unanswered, nil // An empty list proves nothing.
	case len(subs) == 0:
		return News, nil
	}
	if subs[0].Status != Pending && subs[0].At.Equal(a.Newest.Truncate(time.Second)) {
		return Quiet, nil
	}
	return News, nil
}
