package shards

// Which list a ranking showed: a page of it is shown from one list only, never
// put together from places that were seen at different instants.
func init() {
	register(&Declaration{Name: "ladder_list", Title: "Lists of rankings", Key: []Field{{"ladder", Text}}, Scope: []string{"ladder"},
		Data: []Field{{"list", Text}, {"size", Integer}}})
}
