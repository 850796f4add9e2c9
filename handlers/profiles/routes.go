// Package profiles answers for the community, for members' profiles, now and at an
// instant, for comparisons, and for the button that asks for a retrieval.
package profiles

import (
	"time"

	"laurel/handlers/web"
)

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	Progress *Progress     // Who waits for news of a retrieval.
	CoolDown time.Duration // Between two presses of the button that went well.
}

// Routes are the addresses of profiles, of what is around them, and of the button that asks for a retrieval.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/", web.Anyone, h.Home),
		web.Post("/today/cards", web.Member, h.SaveCards),
		web.Get("/members", web.Anyone, h.Members),
		web.Get("/u/:name", web.Anyone, h.Show),
		web.Post("/u/:name/retrieve", web.Member, h.Retrieve),
		web.Get("/u/:name/retrieval", web.Anyone, h.RetrievalPart),
		web.Get("/u/:name/retrieval/events", web.Anyone, h.RetrievalEvents).Streaming(),
		web.Get("/u/:name/submissions", web.Anyone, h.Submissions),
		web.Get("/u/:name/days", web.Anyone, h.Days),
		web.Get("/u/:name/ratings", web.Anyone, h.Ratings),
		web.Get("/u/:name/diff", web.Anyone, h.Diff),
		web.Get("/u/:name/timemap", web.Anyone, h.TimeMap),
		web.Get("/u/:name/card.svg", web.Public, h.Card),
		web.Get("/u/:name/badge.svg", web.Public, h.Badge),
		web.Get("/u/:name/preview.png", web.Public, h.Preview),
		web.Get("/preview.png", web.Public, h.CommunityPreview),
		web.Get("/help", web.Anyone, h.Help),
		web.Get("/robots.txt", web.Public, h.Robots),
		web.Get("/sitemap.xml", web.Public, h.Sitemap),
		web.Get("/sitemaps/:page", web.Public, h.SitemapPage),
		web.Get("/settings/card", web.Member, h.ShareCard),
		web.Get("/compare", web.Anyone, h.Compare),
		web.Get("/compare/:a/:b", web.Anyone, h.Comparison),
		web.Get("/compare/:a/:b/problems", web.Anyone, h.ComparedProblems),
		web.Get("/problems/:site/*", web.Anyone, h.Problem),

		web.Post("/api/v1/members/:name/retrieve", web.Member, h.APIRetrieve),
		web.Get("/api/v1/members/:name/retrieval", web.Anyone, h.APIRetrieval),
		web.Get("/api/v1/members/:name/submissions", web.Anyone, h.APIMemberSubmissions),
		web.Get("/api/v1/members/:name/history", web.Anyone, h.APIHistory),
		web.Get("/api/v1/submissions", web.Anyone, h.APISubmissions),
		web.Get("/api/v1/compare/:a/:b", web.Anyone, h.APIComparison),
		web.Get("/api/v1/compare/:a/:b/problems", web.Anyone, h.APIComparedProblems),
		web.Get("/api/v1/problems", web.Anyone, h.APIProblems),
		web.Get("/api/v1/contests", web.Anyone, h.APIContests),
	}
}
