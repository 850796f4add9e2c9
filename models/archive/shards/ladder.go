package shards

// A ranking is any list of players by rank: one rank is held by one player.
func init() {
	register(&Declaration{Name: "ladder", Title: "Places in rankings", Key: []Field{{"ladder", Text}, {"player", Text}},
		Scope: []string{"ladder"}, Data: []Field{{"rank", Integer}, {"score", Number}}, Unique: [][]string{{"ladder", "rank"}}})
}
