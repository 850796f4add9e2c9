package shards

func init() {
	register(&Declaration{Name: "post_metrics", Title: "Numbers of a post, as its network gives them",
		Key: []Field{{"network", Text}, {"host", Text}, {"post", Text}},
		Data: []Field{{"likes", Integer}, {"reposts", Integer}, {"replies", Integer}, {"quotes", Integer}, {"bookmarks", Integer},
			{"views", Integer}}})
}
