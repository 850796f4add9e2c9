package handlers

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"laurel/models"
	"laurel/views"
)

// Shorten cuts a text to so many bytes, between characters.
func Shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// CertaintyWords are the words of pages for what models knows of a value.
var CertaintyWords = map[models.Class]string{
	models.ClassKnown: views.Known, models.ClassConfirmed: views.Confirmed, models.ClassLastKnown: views.LastKnown, models.ClassOpen: views.StillOpen,
	models.ClassDisplaced: views.Displaced, models.ClassRemoved: views.Removed, models.ClassNever: views.NeverSeen,
}

func CompareFold(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }

func Deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
