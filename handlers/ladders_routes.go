package handlers

type rankingHandlers struct{ *Base }

// Routes are the addresses of rankings.
func (h *rankingHandlers) Routes() []Route {
	return []Route{
		Get("/ladders", Anyone, h.Index),
		Get("/ladders/:name", Anyone, h.Show),
		Get("/ladders/:name/diff", Anyone, h.Diff),
		Get("/ladders/:name/climb", Anyone, h.RankHistory),
		Get("/ladders/:name/timemap", Anyone, h.TimeMap),
	}
}
