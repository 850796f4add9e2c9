package shards

// A rated contest of an account. A site shows all of them, so one that it takes
// back ends as removed.
func init() {
	register(&Declaration{Name: "account_contest", Title: "Rated contests of an account",
		Key:   append(accountKey[:2:2], Field{"contest", Text}),
		Scope: []string{"site", "handle"},
		Data:  []Field{{"name", Text}, {"url", Text}, {"rank", Integer}, {"rating", Integer}, {"rated_at", Timestamp}}})
}
