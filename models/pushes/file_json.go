package pushes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readLines reads one JSON object per line, or a list of them.
func (f *File) readLines(data []byte) (list []numbered, err error) {
	one := func(n int, text []byte) {
		in := numbered{Line: n}
		if len(text) > longestLine {
			f.unread(n, fmt.Errorf("a line has at most %d bytes", longestLine))
		} else if err := json.Unmarshal(text, &in.Input); err != nil {
			f.unread(n, lineError(err))
		} else {
			list = append(list, in)
		}
	}
	if bytes.TrimLeft(data, " \t\r\n")[0] == '[' {
		var values []jsontext.Value
		if err := json.Unmarshal(data, &values); err != nil {
			return nil, errors.New("the file begins like a JSON list, and is none")
		}
		if len(values) > MaxRows {
			return nil, errTooMany
		}
		for i, v := range values {
			one(i+1, v)
		}
		return list, nil
	}
	n, rows := 0, 0
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if rows++; rows > MaxRows {
			return nil, errTooMany
		}
		one(n, line)
	}
	return list, nil
}

// A leetcodeRow is a row of leetcode.com/api/submissions/, which shows one's own history.
type leetcodeRow struct {
	ID            int64  `json:"id"`
	Title         string `json:"title"`
	TitleSlug     string `json:"title_slug"`
	Timestamp     int64  `json:"timestamp"`
	StatusDisplay string `json:"status_display"`
	Lang          string `json:"lang"`
}

// leetcodeWords are LeetCode's verdicts; others are OTH.
var leetcodeWords = map[string]string{
	"Accepted": "AC", "Wrong Answer": "WA", "Time Limit Exceeded": "TLE", "Memory Limit Exceeded": "MLE", "Runtime Error": "RE",
	"Compile Error": "CE", "": "PENDING", "Pending": "PENDING", "Judging": "PENDING",
}

// readLeetCode reads pages one after the other, or a list of them. Rows are counted from 1.
func (f *File) readLeetCode(data []byte) (list []numbered, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() == '[' {
		if _, err := d.ReadToken(); err != nil {
			return nil, errNotLeetCode
		}
	}
	n := 0
	for d.PeekKind() == '{' {
		var page struct {
			Rows []jsontext.Value `json:"submissions_dump"`
		}
		if err := json.UnmarshalDecode(d, &page); err != nil {
			return nil, errNotLeetCode
		}
		for _, text := range page.Rows {
			if n++; n > MaxRows {
				return nil, errTooMany
			}
			var row leetcodeRow
			if err := json.Unmarshal(text, &row, jsontext.AllowDuplicateNames(true)); err != nil {
				f.unread(n, lineError(err))
				continue
			}
			list = append(list, numbered{n, row.input()})
		}
	}
	if d.PeekKind() == ']' {
		_, _ = d.ReadToken()
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errNotLeetCode
	}
	return list, nil
}

var errNotLeetCode = errors.New("the pages of LeetCode are not whole; save each page of leetcode.com/api/submissions/ as it is")

// input is the row as LeetCode's own lists are read: by its number, or by the second and the problem
// where it shows none.
func (r *leetcodeRow) input() Input {
	slug := strings.TrimSpace(r.TitleSlug)
	in := Input{Site: "leetcode", Language: r.Lang,
		Problem: ProblemInput{Key: text(slug), Name: r.Title, URL: "https://leetcode.com/problems/" + url.PathEscape(slug) + "/"}}
	if slug != "" && r.Timestamp > 0 {
		in.ID = text(fmt.Sprintf("%d/%s", r.Timestamp, slug))
		in.SubmittedAt = time.Unix(r.Timestamp, 0).UTC().Format(time.RFC3339)
	}
	if r.ID > 0 && in.ID != "" {
		in.ID = text(strconv.FormatInt(r.ID, 10))
	}
	if r.ID > 0 {
		in.URL = fmt.Sprintf("https://leetcode.com/submissions/detail/%d/", r.ID)
	}
	in.Status = "OTH"
	if status, ok := leetcodeWords[strings.TrimSpace(r.StatusDisplay)]; ok {
		in.Status = status
	}
	return in
}
