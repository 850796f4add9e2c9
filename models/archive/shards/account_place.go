package shards

func init() {
	register(&Declaration{Name: "account_place", Title: "Country and organisation on a profile", Key: accountKey, Scope: []string{"site"},
		Data: []Field{{"country", Text}, {"organisation", Text}}})
}
