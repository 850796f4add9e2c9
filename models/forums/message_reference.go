package forums

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Kinds of a MessageRef. A member and an account are stored as links name them, in
// small letters, whoever they are; message_things shows both as the member.
const (
	RefProblem    = "problem"    // SITE/KEY
	RefNumber     = "number"     // SITE/NUMBER: a problem by what people call it; stored as the problem, where that is known.
	RefSubmission = "submission" // SITE/ID
	RefContest    = "contest"    // SITE/ID
	RefAccount    = "account"    // SITE/HANDLE
	RefMember     = "member"     // NAME
	RefComparison = "comparison" // A/B, in the order of their names.
	RefPost       = "post"       // NETWORK/ID or NETWORK/HOST/ID
)

// refsAtMost is how many links of one message are read.
const refsAtMost = 200

// ownRef returns the page of ours that a link leads to; own is our address.
func ownRef(link, own string) (ref MessageRef, ok bool) {
	link = strings.TrimRight(strings.TrimLeft(pg.CleanText(link), `<("'[`), `>)"'].,;:!?*/`)
	_, here, ok := strings.Cut(own, "://")
	_, there, ok2 := strings.Cut(link, "://")
	if !ok || !ok2 || len(there) <= len(here) || !strings.EqualFold(there[:len(here)], here) || there[len(here)] != '/' {
		return ref, false
	}
	isEnd := func(r rune) bool { return r == '?' || r == '#' }
	path, err := url.PathUnescape(strings.Trim(strings.FieldsFunc(there[len(here):], isEnd)[0], "/"))
	if err != nil {
		return ref, false
	}
	what, rest, _ := strings.Cut(path, "/")
	switch what {
	case "u":
		name, _, _ := strings.Cut(rest, "/")
		return MessageRef{RefMember, strings.ToLower(name), link}, members.MemberName.MatchString(name)
	case "compare":
		a, b, _ := strings.Cut(rest, "/")
		key, ok := ComparisonKey(a, b)
		return MessageRef{RefComparison, key, link}, ok
	case "problems":
		site, key, _ := strings.Cut(rest, "/")
		return MessageRef{RefProblem, site + "/" + key, link}, site != "" && key != "" && len(rest) < 200 && rest == pg.CleanText(rest)
	}
	return ref, false
}

// ComparisonKey names the comparison of two members, which is the same in both
// orders: a is who comes first by name.
func ComparisonKey(one, other string) (string, bool) {
	if !members.MemberName.MatchString(one) || !members.MemberName.MatchString(other) || strings.EqualFold(one, other) {
		return "", false
	}
	one, other = strings.ToLower(one), strings.ToLower(other)
	return min(one, other) + "/" + max(one, other), true
}

// CleanRef brings what somebody asks about into the form in which it is stored.
func CleanRef(kind, key string) (string, string) {
	if a, b, ok := strings.Cut(key, "/"); ok && kind == RefComparison {
		if pair, ok := ComparisonKey(a, b); ok {
			key = pair
		}
	}
	return pg.CleanText(kind), pg.CleanText(key)
}

// referTo stores what new messages talk about: what their links lead to. own is the
// address of this Laurel.
func referTo(ctx context.Context, tx *gorm.DB, messages []NewMessage, serials map[string]int64, own string) error {
	var found []MessageRef
	var of []int64
	for i := range messages {
		m := &messages[i]
		serial, fresh := serials[m.URL]
		if !fresh {
			continue
		}
		found = append(found, m.Refs[:min(len(m.Refs), refsAtMost)]...)
		for _, link := range m.Links[:min(len(m.Links), refsAtMost)] {
			if r, ok := ownRef(link, own); ok {
				found = append(found, r)
			}
		}
		of = append(of, slices.Repeat([]int64{serial}, len(found)-len(of))...)
	}
	if len(found) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(queries.Must("refer_to"),
		pg.Named("serials", &of, "kinds", pg.Column(found, func(r *MessageRef) string { return r.Kind }),
			"keys", pg.Column(found, func(r *MessageRef) string { return pg.CleanText(r.Key) }),
			"urls", pg.Column(found, func(r *MessageRef) string { return pg.CleanText(r.URL) }))).Error
	if err != nil {
		return fmt.Errorf("references: %w", err)
	}
	return nil
}
