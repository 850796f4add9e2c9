package standin

func init() {
	pagesOf["hackerrank"] = func(_ Person, h string) []string {
		return []string{
			"/rest/hackers/" + h + "/recent_challenges?limit=20&response_version=v2&cursor=null", "/rest/hackers/" + h + "/submission_histories",
			"/rest/hackers/" + h + "/rating_histories_elo", "/rest/contests/master/hackers/" + h + "/profile",
		}
	}
}
