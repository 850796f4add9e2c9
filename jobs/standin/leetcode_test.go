package standin

func init() {
	pagesOf["leetcode"] = func(_ Person, h string) []string {
		return []string{"/graphql/?query=matchedUser+recentSubmissionList+userContestRankingHistory&username=" + h}
	}
}
