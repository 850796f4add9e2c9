package profiles

import (
	"context"

	"laurel/handlers/web"
	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// marked are the figures of a profile by the shard that holds them: a row of a shard is sure or not as a whole.
var marked = map[string][]string{
	"member_totals":  {"solved", "accepted"},
	"member_streaks": {"day_streak", "ac_streak"},
}

// marksThen says of the figures of a profile, and of each site, how sure they are at the instant.
func (h *Handlers) marksThen(ctx context.Context, hist *modelhistory.History) map[string]views.Mark {
	marks := map[string]views.Mark{}
	for _, g := range h.knownGroups(hist) {
		mark := markOf(ctx, web.CertaintyWords[modelhistory.CertaintyOf(g.k.Valid, g.k.Before, hist.At)])
		for _, figure := range marked[g.k.Shard.Name] {
			marks[figure] = mark
		}
		if g.k.Shard.Name == "account_totals" {
			marks[g.k.Source] = mark
		}
	}
	return marks
}

func markOf(ctx context.Context, class string) views.Mark {
	switch class {
	case archiveviews.Known:
		return views.Mark{Sign: "=", Words: texts.T(ctx, "exact")}
	case archiveviews.Confirmed:
		return views.Mark{Sign: "~", Words: texts.T(ctx, "likely: the same before and after")}
	case archiveviews.StillOpen:
		return views.Mark{Sign: "~", Words: texts.T(ctx, "latest: not checked since")}
	}
	return views.Mark{Sign: "?", Words: texts.T(ctx, "last known: it changed at an unknown time")}
}
