package handlers

type rankingHandlers struct{ *Base }

// Routes are the addresses of rankings.
func (h *rankingHandlers) Routes() []Route {
	return []Route{
		Get("/ladders", Anyone, h.Ladders),
		Get("/ladders/:name", Anyone, h.Ladder),
		Get("/ladders/:name/diff", Anyone, h.LadderDiff),
		Get("/ladders/:name/climb", Anyone, h.LadderClimb),
		Get("/ladders/:name/timemap", Anyone, h.LadderTimeMap),
	}
}
