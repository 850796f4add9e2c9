package archive

func init() {
	register(&Shard{Name: "account_title", Title: "Title that a site gives", Key: accountKey, Scope: []string{"site"},
		Data: []Field{{"title", Text}}})
}
