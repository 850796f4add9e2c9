package shards

// What a site counts of a member's account and does not list. An account of which all is listed
// has no row.
func init() {
	register(&Declaration{Name: "account_undetailed", Title: "Submissions without details", Key: []Field{{"member", Text}, {"site", Text}},
		Scope: []string{"member", "site"}, Data: []Field{{"submissions", Integer}, {"solved", Integer}}})
}
