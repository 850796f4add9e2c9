package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Picture is how an award looks: an icon or an emoji in a wreath of a hue. What is left
// out comes of the award's address.
type Picture struct {
	Icon  icon   `json:"icon,omitempty" help:"A line icon."`
	Emoji string `json:"emoji,omitempty" help:"One emoji in place of an icon."`
	Hue   *int64 `json:"hue,omitempty" help:"The colour, from 0 to 359 degrees: 0 is red, 120 green, 240 blue."`
}

// An icon is the name of a drawing, which package openbadge has.
type icon string

func (icon) choices() []string { return Icons() }

// Icons are the names of those there are.
func Icons() []string {
	return strings.Fields("award bolt book calendar check chess clock code compass crown " +
		"cup flag flame heart leaf moon mountain rocket star sun")
}

func (p *Picture) check(at string, m *Mistakes) {
	if p.Icon != "" && !slices.Contains(Icons(), string(p.Icon)) {
		m.add(join(at, "icon"), "no icon is named %q (known: %s)", p.Icon, strings.Join(Icons(), ", "))
	}
	if p.Emoji != "" && !oneEmoji(p.Emoji) {
		m.add(join(at, "emoji"), "must be one emoji")
	}
	if p.Icon != "" && p.Emoji != "" {
		m.add(join(at, "emoji"), "is set beside icon; use one")
	}
	if p.Hue != nil && (*p.Hue < 0 || *p.Hue > 359) {
		m.add(join(at, "hue"), "must be from 0 to 359, not %d", *p.Hue)
	}
}

// oneEmoji reports whether s is drawn as one sign: a symbol with its modifiers, joined symbols,
// a flag or a keycap. Letters are none, nor is what draws nothing.
func oneEmoji(s string) bool {
	if utf8.RuneCountInString(s) > 12 {
		return false
	}
	plain := strings.Map(func(r rune) rune {
		if modifies(r) {
			return -1
		}
		return r
	}, s)
	for part := range strings.SplitSeq(plain, joiner) {
		if !oneSign([]rune(part), strings.ContainsRune(s, keycap)) {
			return false
		}
	}
	return true
}

// oneSign reports whether signs without modifiers are a flag, a symbol, or what stands on a keycap.
func oneSign(signs []rune, onKeycap bool) bool {
	switch {
	case len(signs) == 2:
		return flagHalf(signs[0]) && flagHalf(signs[1])
	case len(signs) != 1:
		return false
	case strings.ContainsRune("0123456789#*", signs[0]):
		return onKeycap
	}
	return unicode.IsSymbol(signs[0]) && signs[0] > 0x2000 && !flagHalf(signs[0])
}

// modifies reports whether a rune only says how the sign before it looks.
func modifies(r rune) bool {
	return r == variation || r == keycap || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0xe0020 && r <= 0xe007f
}

const (
	joiner    = "\u200d"
	variation = '\ufe0f'
	keycap    = '\u20e3'
)

func flagHalf(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
