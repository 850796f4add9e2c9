package standin

func init() {
	pagesOf["timus"] = func(_ Person, h string) []string {
		return []string{"/status.aspx?author=" + h, "/author.aspx?id=" + h}
	}
}
