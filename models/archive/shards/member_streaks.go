package shards

// Days in a row with a submission, up to last_day (a civil day of the member's
// zone), and accepted submissions in a row.
func init() {
	register(&Declaration{Name: "member_streaks", Title: "Streaks of a member", Key: []Field{{"member", Text}},
		Data: []Field{{"day_streak", Integer}, {"best_day_streak", Integer}, {"last_day", Text}, {"accepted_streak", Integer},
			{"best_accepted_streak", Integer}, {"newest_at", Timestamp}}})
}
