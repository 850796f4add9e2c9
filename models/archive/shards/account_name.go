package shards

func init() {
	register(&Declaration{Name: "account_name", Title: "Name on a profile", Key: accountKey, Scope: []string{"site"},
		Data: []Field{{"name", Text}}})
}
