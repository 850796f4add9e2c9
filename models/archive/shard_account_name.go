package archive

func init() {
	register(&Shard{Name: "account_name", Title: "Name on a profile", Key: accountKey, Scope: []string{"site"},
		Data: []Field{{"name", Text}}})
}
