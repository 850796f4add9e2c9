package standin

func init() {
	pagesOf["codechef"] = func(_ Person, h string) []string {
		return []string{"/recent/user?page=0&user_handle=" + h}
	}
}
