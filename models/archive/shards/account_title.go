package shards

func init() {
	register(&Declaration{Name: "account_title", Title: "Title that a site gives", Key: accountKey, Scope: []string{"site"},
		Data: []Field{{"title", Text}}})
}
