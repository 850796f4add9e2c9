package members

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Kind is software that many hosts run, as pages and forms must know it; package web fills it from the
// readers.
type Kind struct {
	Name, Title, Home string // Home is that of its best known host.
	Site              func(name, title, home string) Site
}

// WakeSites is heard on ChannelAsked where a site was declared, changed or removed.
const WakeSites = "follow sites"

func kindNamed(kinds []Kind, name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

var errOtherKind = &pg.InputError{Field: "kind", Message: "a site keeps its kind; remove it, or choose another name"}

// checkHost is Check for a site on a host.
func (s *DeclaredSite) checkHost(kinds []Kind, wrong func(field, message string)) {
	k, ok := kindNamed(kinds, s.Kind)
	if !ok {
		var known []string
		for _, k := range kinds {
			known = append(known, k.Name)
		}
		wrong("kind", fmt.Sprintf("no kind is named %q; known are %s", s.Kind, strings.Join(known, ", ")))
	}
	if !strings.Contains(s.Home, "://") && s.Home != "" {
		s.Home = "https://" + s.Home
	}
	u, err := url.Parse(s.Home)
	if err != nil || !IsWebAddress(s.Home) || u.RawQuery != "" || u.Fragment != "" {
		wrong("base", "give the address of its front page, such as "+k.Home)
		return
	}
	u.Host, u.Path = strings.ToLower(u.Host), strings.TrimRight(u.Path, "/")
	s.Home = u.String()
	if s.HandlePattern != "" || s.ProblemURL != "" {
		wrong("kind", "a site with a kind has no handle_pattern and no problem_url: its kind knows them")
	}
}

func (s *DeclaredSite) sealName() string { return "site " + s.Kind + " " + s.Name + " " + s.Home }

// longestToken is more than any host gives out.
const longestToken = 4096

// TakeToken seals the token that a host is to be asked with: nil leaves it as it is, and "" is to ask as
// anybody. It says whether the host must be asked before it is stored: if it is new, or its address or token
// is. A token never goes to another address than it was given for.
func (s *DeclaredSite) TakeToken(ctx context.Context, db *gorm.DB, token *string, secret pg.Secret) (asks bool, err error) {
	known, err := gorm.G[DeclaredSite](db).Where("name = ?", s.Name).Find(ctx)
	if err != nil {
		return false, fmt.Errorf("site %s: %w", s.Name, err)
	}
	same := len(known) == 1 && known[0].Home == s.Home
	if len(known) == 1 && known[0].Kind != s.Kind {
		return false, errOtherKind
	}
	if same && token == nil {
		s.Token = known[0].Token
		return false, nil
	}
	if token == nil || *token == "" {
		return !same || known[0].Token != nil, nil
	}
	given := strings.TrimSpace(*token)
	if given == "" || len(given) > longestToken || strings.ContainsFunc(given, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false, &pg.InputError{Field: "token", Message: "is not a token: it may have letters, digits and signs, but no spaces"}
	}
	s.Token, err = secret.Seal(s.sealName(), []byte(given))
	return true, err
}

// OpenToken returns the token, "" where there is none.
func (s *DeclaredSite) OpenToken(secret pg.Secret) (string, error) {
	if s.Token == nil {
		return "", nil
	}
	token, err := secret.Open(s.sealName(), s.Token)
	if err != nil {
		return "", fmt.Errorf("token of %s: %w", s.Name, err)
	}
	return string(token), nil
}

// SitesOfKinds are the declared sites that Laurel reads, by name.
func SitesOfKinds(ctx context.Context, db *gorm.DB) ([]DeclaredSite, error) {
	list, err := gorm.G[DeclaredSite](db).Where("kind <> ''").Order("name").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("sites of kinds: %w", err)
	}
	return list, nil
}
