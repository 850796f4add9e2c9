package shards

// What a member says of itself: the zone decides which day is which.
func init() {
	register(&Declaration{Name: "member_person", Title: "Name and time zone of a member", Key: []Field{{"member", Text}},
		Data: []Field{{"display_name", Text}, {"time_zone", Text}}})
}
