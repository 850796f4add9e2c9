package sites

import (
	"context"
	"strings"
)

// A Prover is a site whose page of an account has a text of its owner's that no Profile holds.
type Prover interface {
	// Written fetches the page and returns the text. ErrNoHandle only on proof of absence.
	Written(ctx context.Context, get Getter, a Account) (string, error)
}

// Proves says whether a code is written on the page of an account, in a field that only its owner
// changes: Info.Proof names it. The site is asked for the page once. Only a site with such a field can be asked.
func Proves(ctx context.Context, get Getter, s Site, a Account, code string) (bool, error) {
	if p, ok := s.(Prover); ok {
		text, err := p.Written(ctx, get, a)
		return holdsCode(&text, code), err
	}
	p, err := s.(Profiler).Profile(ctx, get, a)
	if err != nil {
		return false, err
	}
	return p.Name != nil && holdsCode(p.Name.Name, code) || p.Place != nil && holdsCode(p.Place.Organisation, code), nil
}

// holdsCode says whether a text has the code as a word of its own. Sites capitalise names, so case does not matter.
func holdsCode(text *string, code string) bool {
	if text == nil || code == "" {
		return false
	}
	low, code := strings.ToLower(*text), strings.ToLower(code)
	for {
		before, after, found := strings.Cut(low, code)
		if !found {
			return false
		}
		if !endsInCode(before) && (after == "" || !ofCode(after[0])) {
			return true
		}
		low = after
	}
}

func endsInCode(text string) bool { return text != "" && ofCode(text[len(text)-1]) }

// ofCode says whether a letter could be one of a code.
func ofCode(c byte) bool { return c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' }
