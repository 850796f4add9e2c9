package parts

import (
	"net/url"
	"strings"
	"time"
)

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

func ProfilePath(name string) string { return "/u/" + url.PathEscape(name) }

func RetrievePath(name string) string { return ProfilePath(name) + "/retrieve" }

func EventsPath(name string) string { return ProfilePath(name) + "/retrieval/events" }

func DaysPath(name string) string { return ProfilePath(name) + "/days" }

func RatingsPath(name string) string { return ProfilePath(name) + "/ratings" }

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

func MemberAwardsPath(n string) string { return ProfilePath(n) + "/awards" }

func MemberPostsPath(name string) string { return ProfilePath(name) + "/posts" }

func MemberMessagesPath(name string) string { return ProfilePath(name) + "/messages" }

func BadgePath(id string) string { return "/badges/" + id }
