package badges

import (
	"context"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

// longDate has its year, for it is read years later.
func longDate(ctx context.Context, t, now time.Time) string {
	return texts.Format(ctx, t.In(now.Location()), "2 January 2006")
}

// badgeWords lead to the member's name: "Granted on 3 November 2026 by Laurel at laurel.example to".
func badgeWords(ctx context.Context, p Badge) string {
	by := p.Issuer
	if p.By != "" {
		by = texts.T(ctx, "%s (%s, by hand)", p.Issuer, p.By)
	}
	if p.Period != "" {
		return texts.T(ctx, "Granted on %s, for the period from %s, by %s to", longDate(ctx, p.At, p.Now), p.Period, by)
	}
	return texts.T(ctx, "Granted on %s by %s to", longDate(ctx, p.At, p.Now), by)
}

// currentWords is the date of the badge that is current.
func currentWords(ctx context.Context, s State, now time.Time) string {
	if s.CurrentAt == nil {
		return texts.T(ctx, "another date")
	}
	return longDate(ctx, *s.CurrentAt, now)
}

// revokedWords are when a badge was revoked, and why.
func revokedWords(ctx context.Context, s State, now time.Time) string {
	return parts.Glue(texts.T(ctx, "on %s", longDate(ctx, *s.Revoked, now)), ": ", s.Reason) + "."
}
