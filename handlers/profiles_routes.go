package handlers

import (
	"time"
)

type profileHandlers struct {
	*Base
	Progress *Progress     // Who waits for news of a retrieval.
	CoolDown time.Duration // Between two presses of the button that went well.
}

// Routes are the addresses of profiles, of what stands around them, and of the button that asks for a retrieval.
func (h *profileHandlers) Routes() []Route {
	return []Route{
		Get("/", Anyone, h.Home),
		Get("/u/:name", Anyone, h.Show),
		Post("/u/:name/retrieve", Member, h.Retrieve),
		Get("/u/:name/retrieval", Anyone, h.RetrievalPart),
		Get("/u/:name/retrieval/events", Anyone, h.RetrievalEvents).Streaming(),
		Get("/u/:name/submissions", Anyone, h.Submissions),
		Get("/u/:name/days", Anyone, h.Days),
		Get("/u/:name/ratings", Anyone, h.Ratings),
		Get("/u/:name/diff", Anyone, h.Diff),
		Get("/u/:name/timemap", Anyone, h.TimeMap),
		Get("/compare", Anyone, h.Compare),
		Get("/compare/:a/:b", Anyone, h.Comparison),
		Get("/compare/:a/:b/problems", Anyone, h.ComparedProblems),
		Get("/problems/:site/*", Anyone, h.Problem),

		Post("/api/v1/members/:name/retrieve", Member, h.APIRetrieve),
		Get("/api/v1/members/:name/retrieval", Anyone, h.APIRetrieval),
		Get("/api/v1/members/:name/submissions", Anyone, h.APIMemberSubmissions),
		Get("/api/v1/members/:name/history", Anyone, h.APIHistory),
		Get("/api/v1/submissions", Anyone, h.APISubmissions),
		Get("/api/v1/compare/:a/:b", Anyone, h.APIComparison),
		Get("/api/v1/compare/:a/:b/problems", Anyone, h.APIComparedProblems),
		Get("/api/v1/problems", Anyone, h.APIProblems),
		Get("/api/v1/leaderboard", Anyone, h.APILeaderboard),
	}
}
