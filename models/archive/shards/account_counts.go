package shards

func init() {
	register(&Declaration{Name: "account_counts", Title: "Solved and submitted, as the site shows them", Key: accountKey,
		Scope: []string{"site"},
		Data:  []Field{{"solved", Integer}, {"submitted", Integer}}})
}
