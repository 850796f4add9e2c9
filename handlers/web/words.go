package web

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
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
var CertaintyWords = map[modelhistory.Certainty]string{
	modelhistory.ClassKnown: archiveviews.Known, modelhistory.ClassConfirmed: archiveviews.Confirmed,
	modelhistory.ClassLastKnown: archiveviews.LastKnown, modelhistory.ClassOpen: archiveviews.StillOpen,
	modelhistory.ClassDisplaced: archiveviews.Displaced, modelhistory.ClassRemoved: archiveviews.Removed,
	modelhistory.ClassNever: archiveviews.NeverSeen,
}

// CompareFold compares two names without regard to case.
func CompareFold(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }

// Deref returns a time, or the zero one.
func Deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
