package shards

// What Laurel itself counts of a member, over all sites.
func init() {
	register(&Declaration{Name: "member_totals", Title: "Totals of a member", Key: []Field{{"member", Text}},
		Data: []Field{{"submissions", Integer}, {"accepted", Integer}, {"solved", Integer}}})
}
