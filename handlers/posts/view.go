package posts

import (
	"time"

	"laurel/handlers/web"
	"laurel/models/posts"
	"laurel/views/charts"
	views "laurel/views/posts"
)

// network is what is known of a network by name; one that this version cannot
// read any more is called by its name.
func (h *Handlers) network(name string) posts.Network {
	if n, ok := posts.NetworkNamed(h.Networks, name); ok {
		return n
	}
	return posts.Network{Name: name, Title: name}
}

func postNumbers(n posts.Numbers) views.Numbers {
	return views.Numbers{Likes: n.Likes, Reposts: n.Reposts, Replies: n.Replies, Quotes: n.Quotes, Bookmarks: n.Bookmarks,
		Views: n.Views}
}

func postTier(t posts.Tier) views.Tier { return views.Tier{Under: t.Under, Every: t.Every} }

// postView is a post as pages show it now.
func (h *Handlers) postView(p *posts.Row, now time.Time) views.Post {
	v := views.Post{Network: p.Network, Title: h.network(p.Network).Title, Host: p.Host, ID: p.ExternalID, URL: linkOf(p.URL),
		Author: p.Author, Text: p.Text,
		Member: p.Member, MemberName: p.DisplayName, Repost: p.RepostOf != nil, Created: p.CreatedAt, Added: p.AddedAt,
		Seen: web.Deref(p.MetricsAt), Fetched: web.Deref(p.FetchedAt), Next: web.Deref(p.NextUpdateAt),
		Requested: web.Deref(p.RequestedAt), MissingSince: web.Deref(p.MissingSince), Missing: p.MissingCount,
		Fetches: p.Fetches, Attempts: p.Attempts,
		State: p.State, LastError: p.LastError, Numbers: postNumbers(p.Numbers), Due: p.DueNow(now)}
	if tier, ok := h.Posts.Tiers.Of(now.Sub(p.CreatedAt)); ok {
		v.Tier = postTier(tier)
	}
	for _, l := range p.Line {
		v.Line = append(v.Line, charts.SparkPoint{At: l.At, N: l.Likes})
	}
	if p.MetricsAt != nil && len(v.Line) > 0 && p.MetricsAt.After(v.Line[len(v.Line)-1].At) { // Seen since, with no change.
		v.Line = append(v.Line, charts.SparkPoint{At: *p.MetricsAt, N: p.Likes})
	}
	return v
}

func (h *Handlers) postViews(list []posts.Row, now time.Time) []views.Post {
	all := make([]views.Post, len(list))
	for i := range list {
		all[i] = h.postView(&list[i], now)
	}
	return all
}

const (
	spansShown  = 60
	checksDrawn = 600
)

// fillHistory shows what fetches saw: as a curve of them all, and as rows of the times
// through which nothing changed.
func (h *Handlers) fillHistory(p *views.One, post *posts.Post, spans []posts.NumbersSpan) {
	p.Curve = views.Curve{Title: p.Post.Title, Created: post.CreatedAt}
	for i := range spans {
		s := &spans[i]
		n := postNumbers(s.Numbers)
		for j, at := range s.Fetches {
			if inside := j > 0 && j < len(s.Fetches)-1; inside && at.Sub(s.Fetches[j-1]) < h.silence(post, at) &&
				s.Fetches[j+1].Sub(s.Fetches[j-1]) < h.silence(post, at) {
				continue // Between two that saw the same.
			}
			check := views.Check{At: at, Numbers: n}
			if k := len(p.Curve.Checks); k > 0 {
				check.Gap = at.Sub(p.Curve.Checks[k-1].At) > h.silence(post, p.Curve.Checks[k-1].At) &&
					(j == 0 || at.Sub(s.Fetches[j-1]) > h.silence(post, s.Fetches[j-1]))
			}
			p.Curve.Checks = append(p.Curve.Checks, check)
		}
	}
	p.Curve.Checks = thin(p.Curve.Checks, checksDrawn)
	p.Changes = len(spans)
	for i := len(spans) - 1; i >= 0 && len(p.Spans) < spansShown; i-- {
		s := &spans[i]
		p.Spans = append(p.Spans, views.Span{From: s.From, LastSeen: s.LastSeen, Fetches: len(s.Fetches),
			Numbers: postNumbers(s.Numbers)})
	}
}

// silence is for how long there may be no fetch after an instant before nobody
// knows what happened meanwhile: the time of four.
func (h *Handlers) silence(post *posts.Post, at time.Time) time.Duration {
	tiers := h.Posts.Tiers
	if len(tiers) == 0 {
		return 24 * time.Hour
	}
	every := tiers[len(tiers)-1].Every
	if tier, ok := tiers.Of(at.Sub(post.CreatedAt)); ok {
		every = tier.Every
	}
	if i := len(tiers) - 1; every < tiers[i].Every { // It may have gone into the next tier meanwhile.
		next, ok := tiers.Of(at.Add(4 * every).Sub(post.CreatedAt))
		if ok {
			every = max(every, next.Every)
		}
	}
	return 4*every + 10*time.Minute
}

// thin leaves out checks of many, and never the first, the last, or a gap.
func thin(checks []views.Check, most int) []views.Check {
	if len(checks) <= most {
		return checks
	}
	step := (len(checks) + most - 1) / most
	left := checks[:0:0]
	for i, l := range checks {
		if i%step == 0 || i == len(checks)-1 || l.Gap || i+1 < len(checks) && checks[i+1].Gap {
			left = append(left, l)
		}
	}
	return left
}

// Pages is what pages of posts must know.
type Pages struct {
	Tiers     posts.Tiers
	BufferTTL time.Duration
	CoolDown  time.Duration // Between two presses of "Refresh now".
}
