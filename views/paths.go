package views

import (
	"net/url"
	"strings"
	"time"
)

func comparePath(a, b string) string {
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

func profilePath(name string) string { return "/u/" + url.PathEscape(name) }

func retrievePath(name string) string { return profilePath(name) + "/retrieve" }

func eventsPath(name string) string { return profilePath(name) + "/retrieval/events" }

func daysPath(name string) string { return profilePath(name) + "/days" }

func ratingsPath(name string) string { return profilePath(name) + "/ratings" }

func submissionsPath(name string) string { return profilePath(name) + "/submissions" }

// dayPath leads to the submissions of one day.
func dayPath(name string, day time.Time) string {
	d := day.Format(time.DateOnly)
	return submissionsPath(name) + "?from=" + d + "&to=" + d
}

// signIn leads to the sign-in page and back to where the visitor was.
func signIn(from string) string {
	if from == "" || from == "/" || strings.HasPrefix(from, "/sign-") {
		return "/sign-in"
	}
	return "/sign-in?next=" + url.QueryEscape(from)
}

func memberAwardsPath(n string) string { return profilePath(n) + "/awards" }

func memberPostsPath(name string) string { return profilePath(name) + "/posts" }

func memberMessagesPath(name string) string { return profilePath(name) + "/messages" }

func badgePath(id string) string { return "/badges/" + id }
