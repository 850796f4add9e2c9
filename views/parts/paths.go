package parts

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ComparePath leads to the comparison of two members.
func ComparePath(a, b string) string {
	return "/compare/" + url.PathEscape(a) + "/" + url.PathEscape(b)
}

// ProblemPath is the address of our own page of a problem.
func ProblemPath(site, key string) string {
	words := strings.Split(key, "/")
	for i := range words {
		words[i] = url.PathEscape(words[i])
	}
	return "/problems/" + url.PathEscape(site) + "/" + strings.Join(words, "/")
}

// ProfilePath leads to a profile.
func ProfilePath(name string) string { return "/u/" + url.PathEscape(name) }

// RetrievePath is where a retrieval is requested.
func RetrievePath(name string) string { return ProfilePath(name) + "/retrieve" }

// EventsPath streams the progress of a retrieval.
func EventsPath(name string) string { return ProfilePath(name) + "/retrieval/events" }

// DaysPath leads to the table of days.
func DaysPath(name string) string { return ProfilePath(name) + "/days" }

// RatingsPath leads to all rated contests.
func RatingsPath(name string) string { return ProfilePath(name) + "/ratings" }

// SubmissionsPath leads to all submissions.
func SubmissionsPath(name string) string { return ProfilePath(name) + "/submissions" }

// DayPath leads to the submissions of one day.
func DayPath(name string, day time.Time) string {
	d := day.Format(time.DateOnly)
	return SubmissionsPath(name) + "?from=" + d + "&to=" + d
}

// signIn leads to the sign-in page and back to where the visitor was.
func signIn(from string) string {
	if from == "" || from == "/" || strings.HasPrefix(from, "/sign-") {
		return "/sign-in"
	}
	return "/sign-in?next=" + url.QueryEscape(from)
}

// MemberAwardsPath leads to a member's awards.
func MemberAwardsPath(n string) string { return ProfilePath(n) + "/awards" }

// MemberPostsPath leads to a member's posts.
func MemberPostsPath(name string) string { return ProfilePath(name) + "/posts" }

// MemberMessagesPath leads to a member's messages.
func MemberMessagesPath(name string) string { return ProfilePath(name) + "/messages" }

// BadgePath leads to a badge.
func BadgePath(id string) string { return "/badges/" + id }

// ThreadPath leads to a discussion, at one of its messages.
func ThreadPath(forum string, serial int64) string {
	return "/forums/" + url.PathEscape(forum) + "/threads/" + strconv.FormatInt(serial, 10)
}
