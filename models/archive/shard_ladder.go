package archive

// A ladder is any list of players by rank: one rank is held by one player.
func init() {
	register(&Shard{Name: "ladder", Title: "Places of a ladder", Key: []Field{{"ladder", Text}, {"player", Text}},
		Scope: []string{"ladder"}, Data: []Field{{"rank", Integer}, {"score", Number}}, Unique: [][]string{{"ladder", "rank"}}})
}
