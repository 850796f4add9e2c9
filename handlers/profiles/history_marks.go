package profiles

import (
	"laurel/handlers/web"
	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
	views "laurel/views/profiles"
)

// marked are the figures of a profile by the shard that holds them: a row of a shard is sure or not as a whole.
var marked = map[string][]string{
	"member_totals":  {"solved", "accepted"},
	"member_streaks": {"day_streak", "ac_streak"},
}

// marksThen says of the figures of a profile, and of each site, how sure they are at the instant.
func (h *Handlers) marksThen(hist *modelhistory.History) map[string]views.Mark {
	marks := map[string]views.Mark{}
	for _, g := range h.knownGroups(hist) {
		mark := markOf(web.CertaintyWords[modelhistory.CertaintyOf(g.k.Valid, g.k.Before, hist.At)])
		for _, figure := range marked[g.k.Shard.Name] {
			marks[figure] = mark
		}
		if g.k.Shard.Name == "account_totals" {
			marks[g.k.Source] = mark
		}
	}
	return marks
}

func markOf(class string) views.Mark {
	switch class {
	case archiveviews.Known:
		return views.Mark{Sign: "=", Words: "exact"}
	case archiveviews.Confirmed:
		return views.Mark{Sign: "~", Words: "likely: the same before and after"}
	case archiveviews.StillOpen:
		return views.Mark{Sign: "~", Words: "latest: not checked since"}
	}
	return views.Mark{Sign: "?", Words: "last known: it changed at an unknown time"}
}
