package db

// Scopes are what a leaderboard can be about: how many of each member's own
// days, today with them; 0 for all there ever were.
var Scopes = map[string]int{"all": 0, "month": 30, "week": 7}
