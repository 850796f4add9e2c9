package standin

func init() {
	pagesOf["hackerearth"] = func(_ Person, h string) []string {
		return []string{"/submissions/" + h + "/", "/ratings/AJAX/rating-graph/" + h + "/"}
	}
}
