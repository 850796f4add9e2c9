package accounts

import "slices"

// What clauses say of a row t that it is about the member @member, who is called @name.
const (
	ofMember  = "t.member_id = @member"
	ofAccount = "t.account_id IN (SELECT id FROM accounts WHERE member_id = @member)"
	ofGrant   = "t.grant_id IN (SELECT id FROM award_grants WHERE member_id = @member)"
	ofHandle  = "(t.site, t.handle) IN (SELECT site, handle FROM accounts WHERE member_id = @member)"
	ofName    = "t.member = @name"
	seen      = "EXISTS (SELECT FROM members o WHERE visible_to(@member, o.id, o.audience) AND o.id = "
)

// ownTables are the tables with rows about a member, and which rows of them are.
var ownTables = []exported{
	{table: "members", order: "id", withheld: "password_hash", where: "t.id = @member OR t.owner_id = @member"},
	{table: "accounts", order: "id", where: ofMember},
	{table: "handle_proofs", order: "id", withheld: "key,leased_until", where: ofMember},
	{table: "wanted_handles", order: "account_id", where: ofAccount},
	{table: "removed_accounts", order: "id", where: ofMember},
	{table: "account_keys", order: "account_id", withheld: "secret", where: ofAccount},
	{table: "account_schedule", order: "account_id", withheld: "lease_id,leased_until,started_at", where: ofAccount},
	{table: "account_coverage", order: "account_id", where: ofAccount},
	{table: "account_stats", order: "account_id", where: ofAccount},
	{table: "unread_rows", order: "account_id, first_seen_at", where: ofAccount},
	{table: "problems", order: "id", where: "t.id IN (SELECT problem_id FROM submissions WHERE member_id = @member)"},
	{table: "submissions", order: "id", where: ofMember},
	{table: "ratings", order: `account_id, contest COLLATE "C"`, where: ofAccount},
	{table: "reported_days", order: "account_id, day", where: ofAccount},
	{table: "days", order: "day", where: ofMember},
	{table: "member_stats", order: "member_id", where: ofMember},
	{table: "member_zones", order: "until", where: ofMember},
	{table: "solved", order: "problem_id", where: ofMember},
	{table: "items", order: `source COLLATE "C", key COLLATE "C"`, where: ofMember},
	{table: "objective_cells", order: `objective_id, period, status COLLATE "C", cell COLLATE "C"`, where: ofMember},
	{table: "objective_counters", order: `objective_id, period, status COLLATE "C"`, where: ofMember},
	{table: "user_awards", order: "award_id, period", where: ofMember},
	{table: "award_grants", order: "id", where: ofMember},
	{table: "award_grant_log", order: "id", where: ofGrant},
	{table: "award_log", order: "id", where: ofMember},
	{table: "award_pins", order: "award_id", where: ofMember},
	{table: "badges", order: "id", where: ofGrant},
	{table: "member_bans", order: "id", withheld: "author", where: ofMember},
	{table: "member_suspensions", order: "id", withheld: "author", where: ofMember},
	{table: "member_sessions", order: "started_at", withheld: "token", where: ofMember},
	{table: "event_dead", order: "id", where: ofMember},
	{table: "notices", order: "id", withheld: "mail_id,hook_id,follower_id", where: ofMember + " AND (t.kind <> 'follow' OR t.shown)"},
	{table: "notice_settings", order: "member_id", withheld: "unsubscribe,new_secret", where: ofMember},
	{table: "posts", order: "id", withheld: "lease_id,leased_until", where: ofMember},
	{table: "post_accounts", order: "id", withheld: "lease_id,leased_until", where: ofMember},
	{table: "messages", order: "serial", withheld: "words,response_id", where: ofMember},
	{table: "message_authors", order: "id", where: ofMember},
	{table: "tokens", order: "id", withheld: "hash", where: ofMember},
	{table: "follows", order: "follower_id, followed_id",
		where: "t.follower_id = @member AND " + seen + "t.followed_id) OR t.followed_id = @member AND " + seen + "t.follower_id) AND " +
			"NOT EXISTS (SELECT FROM member_blocks b WHERE b.blocker_id = @member AND b.blocked_id = t.follower_id)"},
	// Who was blocked is not told.
	{table: "member_blocks", order: "blocked_id", where: "t.blocker_id = @member AND " + seen + "t.blocked_id)"},
	{table: "reports", order: "id", withheld: "resolved_by,note", where: "t.reporter_id = @member"}, // Who is reported is not told.
	{table: "invitations", order: "created_at", withheld: "hash,used_by", where: "t.created_by = @member"},
}

// notOwn is every other table with a column that names a member or an account, with the reason.
var notOwn = map[string]string{
	"archive_shard_versions": "declarations of shards, with the admin who changed them",
	"account_evidence":       "of the moment: why an account is read when",
	"left_out_handles":       "handles that no account has",
	"shown_handles":          "handles of people who have no account",
	"audit_rows":             "of the moment: a reading under way",
	"award_pending":          "of the moment",
	"award_recounts":         "of the moment",
	"award_checks":           "how many members were checked",
	"brought_files":          "of the moment: a file that is not confirmed yet",
	"events_other":           "a part of events",
	"standing_due":           "of the moment",
	"standing_places":        "what follows of solved, days, ratings and award_grants",
	"standings":              "as standing_places",
	"event_waiting":          "of people who are no members",
	"site_canaries":          "handles of nobody here",
	"site_terms":             "words of sites, with the handle of who had each first",
	"events":                 "on their way: the newest of each item is in items",
	"event_outbox":           "on their way: grants and notices",
	"fetches":                "raw answers of sites: what was read of them is here",
	"notice_announcements":   "of the moment",
	"notice_deliveries":      "of the moment: notices on their way",
	"site_suspects":          "of the moment: a site's failures",
}

// ownArchive is which rows of a table of the archive are about a member, by its columns; "" if none is.
func ownArchive(columns []string) string {
	has := func(c string) bool { return slices.Contains(columns, c) }
	switch {
	case has("member"):
		return ofName
	case has("site") && has("handle"):
		return ofHandle
	case has("player"):
		return "t.player = @name"
	}
	return ""
}
