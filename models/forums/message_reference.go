package forums

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Kinds of a MessageRef. A member and an account are kept as links name them, in
// small letters, whoever they are; message_things shows both as the member.
const (
	RefProblem    = "problem"    // SITE/KEY
	RefNumber     = "number"     // SITE/NUMBER: a problem by what people call it; kept as the problem, where that is known.
	RefSubmission = "submission" // SITE/ID
	RefContest    = "contest"    // SITE/ID
	RefAccount    = "account"    // SITE/HANDLE
	RefMember     = "member"     // NAME
	RefComparison = "comparison" // A/B, in the order of their names.
	RefPost       = "post"       // NETWORK/ID or NETWORK/HOST/ID
)

// refsAtMost is how many links of one message are looked at.
const refsAtMost = 200

// ownRef tells to which of our own pages a link leads; own is our address.
func ownRef(link, own string) (ref MessageRef, ok bool) {
	link = strings.TrimRight(strings.TrimLeft(pg.CleanText(link), `<("'[`), `>)"'].,;:!?*/`)
	_, here, ok := strings.Cut(own, "://")
	_, there, ok2 := strings.Cut(link, "://")
	if !ok || !ok2 || len(there) <= len(here) || !strings.EqualFold(there[:len(here)], here) || there[len(here)] != '/' {
		return ref, false
	}
	path, err := url.PathUnescape(strings.Trim(strings.FieldsFunc(there[len(here):], func(r rune) bool { return r == '?' || r == '#' })[0],
		"/"))
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

// CleanRef brings what somebody asks about into the form in which it is kept.
func CleanRef(kind, key string) (string, string) {
	if a, b, ok := strings.Cut(key, "/"); ok && kind == RefComparison {
		if pair, ok := ComparisonKey(a, b); ok {
			key = pair
		}
	}
	return pg.CleanText(kind), pg.CleanText(key)
}

// refColumns are references as the lists that a statement unnests.
type refColumns struct {
	serials           []int64
	kinds, keys, urls []string
}

func (c *refColumns) add(serial int64, r MessageRef) {
	c.serials, c.kinds, c.keys, c.urls = append(c.serials, serial), append(c.kinds, r.Kind), append(c.keys,
		pg.CleanText(r.Key)), append(c.urls, pg.CleanText(r.URL))
}

// referTo notes what new messages talk about: what their links lead to. own is the
// address of this Laurel.
func referTo(ctx context.Context, tx *gorm.DB, messages []NewMessage, serials map[string]int64, own string) error {
	var c refColumns
	for i := range messages {
		m := &messages[i]
		serial, fresh := serials[m.URL]
		if !fresh {
			continue
		}
		for _, r := range m.Refs[:min(len(m.Refs), refsAtMost)] {
			c.add(serial, r)
		}
		for _, link := range m.Links[:min(len(m.Links), refsAtMost)] {
			if r, ok := ownRef(link, own); ok {
				c.add(serial, r)
			}
		}
	}
	if len(c.serials) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`
		WITH given AS MATERIALIZED (SELECT * FROM unnest(CAST(@serials AS bigint[]), CAST(@kinds AS text[]), CAST(@keys AS text[]),
			CAST(@urls AS text[])) WITH ORDINALITY AS g(serial, kind, key, url, place)),
		pairs AS (
			UPDATE messages m SET compared = g.compared FROM (
				SELECT DISTINCT ON (g.serial) g.serial, x.name || '/' || y.name AS compared FROM given g
				JOIN members x ON lower(x.name) = split_part(g.key, '/', 1) JOIN members y ON lower(y.name) = split_part(g.key, '/', 2)
				WHERE g.kind = 'comparison' ORDER BY g.serial, g.place) g
			WHERE m.serial = g.serial)
		INSERT INTO message_references (serial, kind, key, url)
		SELECT serial, kind, key, url FROM given WHERE kind <> 'number'
		UNION ALL SELECT g.serial, 'problem', p.site || '/' || p.key, g.url FROM given g
			JOIN problems p ON p.site = split_part(g.key, '/', 1) AND p.name LIKE split_part(g.key, '/', 2) || ' - %'
				WHERE g.kind = 'number'
		ON CONFLICT DO NOTHING`,
		pg.Named("serials", &c.serials, "kinds", &c.kinds, "keys", &c.keys, "urls", &c.urls)).Error
	if err != nil {
		return fmt.Errorf("references: %w", err)
	}
	return nil
}
