package shards

// An account is a handle on a site. What the pages of a site show of it changes
// apart, and not every page shows all of it, so each group is a shard.
var accountKey = []Field{{"site", Text}, {"handle", Text}}

func init() {
	register(&Declaration{Name: "account_rating", Title: "Rating of an account", Key: accountKey, Scope: []string{"site"},
		Data: []Field{{"rating", Integer}, {"best", Integer}}})
}
