package shards

func init() {
	register(&Declaration{Name: "account_rank", Title: "Rank in a site's rating list", Key: accountKey, Scope: []string{"site"},
		Data: []Field{{"rank", Integer}}})
}
