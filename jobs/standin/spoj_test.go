package standin

func init() {
	pagesOf["spoj"] = func(_ Person, h string) []string {
		return []string{"/status/" + h + "/all/start=0"}
	}
}
