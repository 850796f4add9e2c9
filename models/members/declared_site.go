package members

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A DeclaredSite is a site that an admin declared. Laurel reads it if it is on a host of a kind; else
// it is an outside site: what members did there is pushed.
type DeclaredSite struct {
	Name, Title, Home string
	Kind              string // "" is an outside site.
	Token             []byte // Sealed; nil for asking as anybody, and for outside sites.
	HandlePattern     string // A regular expression; "" is anything without blanks.
	ProblemURL        string // With {key} where the problem's key goes; "" is as it was pushed.
	DeclaredAt        time.Time
}

// TableName is where declared sites are stored.
func (DeclaredSite) TableName() string { return "outside_sites" }

var (
	siteName  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)
	anyHandle = `[^\s/]{1,64}`
)

const keyPlace = "{key}"

// Site is what pages and forms must know of it.
func (s *DeclaredSite) Site(kinds []Kind) Site {
	if k, ok := kindNamed(kinds, s.Kind); ok {
		site := k.Site(s.Name, s.Title, s.Home)
		site.Kind = s.Kind
		return site
	}
	site := Site{Name: s.Name, Title: s.Title, Home: s.Home, Outside: true, Hint: "1 to 64 characters without blanks"}
	site.Handle, _ = s.pattern() // Compiled when it was declared.
	if s.HandlePattern != "" {
		site.Hint = "must fit " + s.HandlePattern
	}
	if s.ProblemURL != "" {
		site.Problem = s.problem
	}
	return site
}

func (s *DeclaredSite) pattern() (*regexp.Regexp, error) {
	if s.HandlePattern == "" {
		return regexp.MustCompile("^" + anyHandle + "$"), nil
	}
	return regexp.Compile("^(?:" + s.HandlePattern + ")$")
}

// problem is the address of a problem. A key keeps its slashes.
func (s *DeclaredSite) problem(key string) string {
	before, _, _ := strings.Cut(s.ProblemURL, keyPlace)
	escaped := strings.ReplaceAll(url.PathEscape(key), "%2F", "/")
	if strings.ContainsAny(before, "?#") {
		escaped = url.QueryEscape(key)
	}
	return strings.ReplaceAll(s.ProblemURL, keyPlace, escaped)
}

// DeclaredSites returns the declared sites, by name.
func DeclaredSites(ctx context.Context, db *gorm.DB) ([]DeclaredSite, error) {
	list, err := gorm.G[DeclaredSite](db).Order("name").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("declared sites: %w", err)
	}
	return list, nil
}

// AllSites are the sites that Laurel reads and those that admins declared, by name. A site
// that was declared before Laurel could read it is read.
func AllSites(ctx context.Context, db *gorm.DB, builtIn []Site, kinds []Kind) ([]Site, error) {
	declared, err := DeclaredSites(ctx, db)
	if err != nil || len(declared) == 0 {
		return builtIn, err
	}
	all := slices.Clone(builtIn)
	for i := range declared {
		if !slices.ContainsFunc(builtIn, func(s Site) bool { return s.Name == declared[i].Name }) {
			all = append(all, declared[i].Site(kinds))
		}
	}
	slices.SortFunc(all, func(a, b Site) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// NewestPushes are when members last pushed to sites, by name.
func NewestPushes(ctx context.Context, db *gorm.DB) (map[string]time.Time, error) {
	var rows []struct {
		Site string
		At   time.Time
	}
	err := db.WithContext(ctx).Raw(`
		SELECT site, max(pushed_at) AS at FROM accounts WHERE pushed_at IS NOT NULL GROUP BY site`).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("newest pushes: %w", err)
	}
	at := map[string]time.Time{}
	for _, r := range rows {
		at[r.Site] = r.At
	}
	return at, nil
}

// DeclareSite stores a site, or changes what is known of it, and says whether it is new. One on a host
// was asked before: see TakeToken.
func DeclareSite(ctx context.Context, db *gorm.DB, s *DeclaredSite, now time.Time) (created bool, err error) {
	s.DeclaredAt = now
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		stored := tx.Raw(queries.Must("declare_site"), pg.Named("name", s.Name, "title", s.Title, "home", s.Home, "kind", s.Kind,
			"token", &s.Token, "handle_pattern", s.HandlePattern, "problem_url", s.ProblemURL, "now", now)).Scan(&created)
		if stored.Error == nil && stored.RowsAffected == 0 {
			return errOtherKind
		}
		if stored.Error != nil {
			return fmt.Errorf("declare site %s: %w", s.Name, stored.Error)
		}
		return pg.Wake(ctx, tx, WakeSites)
	})
	return created, err
}

// Check tidies up what somebody gave and returns all that is wrong with it.
func (s *DeclaredSite) Check(builtIn []Site, kinds []Kind) error {
	for _, text := range []*string{&s.Name, &s.Title, &s.Home, &s.Kind, &s.HandlePattern, &s.ProblemURL} {
		*text = pg.CleanText(*text)
	}
	var mistakes []error
	wrong := func(field, message string) {
		mistakes = append(mistakes, &pg.InputError{Field: field, Message: message})
	}
	switch {
	case !siteName.MatchString(s.Name):
		wrong("name", "a name has 1 to 32 small letters, digits or _, and begins with a letter")
	case slices.ContainsFunc(builtIn, func(b Site) bool { return b.Name == s.Name }):
		wrong("name", "Laurel reads "+s.Name+" itself; choose another name")
	}
	if s.Title == "" || len(s.Title) > 100 || strings.ContainsAny(s.Title, "\r\n\t") {
		wrong("title", "a title has 1 to 100 characters in one line")
	}
	if s.Kind != "" {
		s.checkHost(kinds, wrong)
		return errors.Join(mistakes...)
	}
	if !IsWebAddress(s.Home) {
		wrong("home", "give the site's address, with http:// or https://")
	}
	if _, err := s.pattern(); err != nil || len(s.HandlePattern) > 200 {
		wrong("handle_pattern", "this is no regular expression of at most 200 characters, such as [a-z0-9_]{3,20}")
	}
	if s.ProblemURL != "" && (!IsWebAddress(s.ProblemURL) || !strings.Contains(s.ProblemURL, keyPlace)) {
		wrong("problem_url", "give an http(s) address with {key} in it, such as https://judge.example/tasks/{key}")
	}
	return errors.Join(mistakes...)
}

const longestAddress = 2000

// IsWebAddress says whether a text is an http(s) address that a page may link to.
func IsWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && len(text) <= longestAddress &&
		!strings.ContainsAny(text, " \t\r\n\"<>\\")
}
