package shards

// What Laurel itself counts of a member's account, from the submissions it has
// read. Two members may follow one handle and be read at different times, so
// the member is in the key; a handle that is removed ends its scope.
func init() {
	register(&Declaration{Name: "account_totals", Title: "Submissions of an account", Key: []Field{{"member", Text}, {"site", Text}},
		Scope: []string{"member", "site"},
		Data:  []Field{{"handle", Text}, {"submissions", Integer}, {"accepted", Integer}, {"solved", Integer}, {"statuses", JSON}}})
}
