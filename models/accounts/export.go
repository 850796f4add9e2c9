package accounts

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"regexp"
	"slices"

	"gorm.io/gorm"

	"laurel/models/members"
)

// An exported table. Rows come in the order of its key, so that two exports of
// the same data are equal.
type exported struct {
	table, order string
	withheld     string // Columns that are secrets or of the moment, with commas.
	where        string
}

// exports is every table whose rows are data, parents first.
var exports = []exported{
	{table: "settings", order: `key COLLATE "C"`, // Other settings may be secrets.
		where: "key IN ('" + members.KeySignUp + "', '" + members.KeyAudience + `') OR key LIKE 'community\_%'`},
	{table: "community_logo", order: "id"},
	{table: "members", order: "id", withheld: "password_hash"},
	{table: "outside_sites", order: `name COLLATE "C"`, withheld: "token"},
	{table: "accounts", order: "id"},
	{table: "handle_proofs", order: "id", withheld: "key,leased_until", where: "t.member_id IS NOT NULL"},
	{table: "left_out_handles", order: `site COLLATE "C", handle COLLATE "C"`},
	{table: "shown_handles", order: `site COLLATE "C", handle COLLATE "C"`},
	{table: "wanted_handles", order: "account_id"},
	{table: "account_keys", order: "account_id", withheld: "secret"},
	{table: "account_schedule", order: "account_id", withheld: "lease_id,leased_until,started_at"},
	{table: "account_coverage", order: "account_id"},
	{table: "account_stats", order: "account_id"},
	{table: "problems", order: "id"},
	{table: "contests", order: "id"},
	{table: "contest_problems", order: "contest_id, problem_id"},
	{table: "submissions", order: "id"},
	{table: "ratings", order: `account_id, contest COLLATE "C"`},
	{table: "reported_days", order: "account_id, day"},
	{table: "days", order: "member_id, day"},
	{table: "member_stats", order: "member_id"},
	{table: "member_zones", order: "member_id, until"},
	{table: "solved", order: "member_id, problem_id"},
	{table: "site_hours", order: `site COLLATE "C", hour, outcome COLLATE "C"`},
	{table: "site_alarms", order: "id"},
	{table: "site_terms", order: `site COLLATE "C", kind COLLATE "C", term COLLATE "C"`},
	{table: "site_canaries", order: `site COLLATE "C", handle COLLATE "C"`, withheld: "lease_id,leased_until"},
	{table: "site_lists", order: `site COLLATE "C", name COLLATE "C"`, withheld: "lease_id,leased_until"},
	{table: "site_streams", order: `site COLLATE "C", kind COLLATE "C"`, withheld: "lease_id,leased_until"},
	{table: "event_sources", order: `source COLLATE "C"`},
	{table: "event_dead", order: "id"},
	{table: "kafka_topics", order: `topic COLLATE "C"`},
	{table: "items", order: `source COLLATE "C", key COLLATE "C"`},
	{table: "awards", order: "id"},
	{table: "award_versions", order: "award_id, number"},
	{table: "objectives", order: "id"},
	{table: "objective_cells", order: `member_id, objective_id, period, status COLLATE "C", cell COLLATE "C"`},
	{table: "objective_counters", order: `member_id, objective_id, period, status COLLATE "C"`},
	{table: "user_awards", order: "member_id, award_id, period"},
	{table: "award_grants", order: "id"},
	{table: "award_grant_log", order: "id"},
	{table: "badges", order: "id"},
	{table: "award_log", order: "id"},
	{table: "award_checks", order: "id"},
	{table: "follows", order: "follower_id, followed_id"},
	{table: "reports", order: "id"},
	{table: "member_blocks", order: "blocker_id, blocked_id"},
	{table: "member_bans", order: "id"},
	{table: "member_suspensions", order: "id"},
	{table: "award_pins", order: "member_id, award_id"},
	{table: "notices", order: "id", withheld: "mail_id,hook_id"},
	{table: "notice_settings", order: "member_id", withheld: "unsubscribe,new_address,new_secret,requested_at,mail_due_at"},
	{table: "posts", order: "id", withheld: "lease_id,leased_until"},
	{table: "post_names", order: `network COLLATE "C", host COLLATE "C", name COLLATE "C"`},
	{table: "post_accounts", order: "id", withheld: "lease_id,leased_until"},
	{table: "credentials", order: "id", withheld: "token"},
	{table: "credential_days", order: "credential_id, day"},
	{table: "forums", order: "id", withheld: "lease_id,leased_until"},
	{table: "forum_periods", order: `forum_id, period COLLATE "C"`},
	{table: "forum_gaps", order: `forum_id, address COLLATE "C"`},
	{table: "forum_runs", order: "id"},
	{table: "forum_threads", order: "id"},
	{table: "forum_months", order: "forum_id, month"},
	{table: "messages", order: "serial", withheld: "words,response_id"},
	{table: "message_references", order: `serial, kind COLLATE "C", key COLLATE "C"`},
	{table: "message_duplicates", order: `forum_id, url COLLATE "C"`},
	{table: "message_authors", order: "id"},
}

// notExported is every other table, with the reason.
var notExported = map[string]string{
	"followed_people":      "a view of follows and members",
	"standings":            "what follows of days, solved, ratings and award_grants",
	"standing_places":      "as standings",
	"standing_counts":      "as standings",
	"standing_moves":       "of the moment",
	"standing_due":         "of the moment",
	"standing_steps":       "as standings, of the last weeks",
	"community_totals":     "counted from other tables",
	"sessions":             "secret",
	"source_tokens":        "secret",
	"member_sessions":      "secret",
	"tokens":               "secret",
	"invitations":          "secret",
	"badge_keys":           "secret",
	"badge_lists":          "secret: how places are shuffled",
	"badge_position":       "of the moment",
	"limits":               "of the moment, and holds addresses of visitors",
	"request_slots":        "of the moment",
	"removed_accounts":     "removed by their members, and gone for good after 30 days",
	"audit_rows":           "of the moment",
	"unread_rows":          "of raw answers",
	"fetches":              "of raw answers",
	"responses":            "raw answers: what was read of them is exported",
	"response_bodies":      "raw answers",
	"account_evidence":     "of the moment",
	"brought_files":        "of the moment: not confirmed yet",
	"site_checks":          "of the moment",
	"site_circuits":        "of the moment",
	"site_suspects":        "of the moment",
	"events":               "on their way: the newest of each item is in items",
	"kafka_offsets":        "of the moment: where reading goes on in another's log",
	"kafka_state":          "of the moment",
	"event_outbox":         "on their way",
	"events_other":         "a part of events",
	"event_positions":      "of the moment",
	"event_waiting":        "of people who are no members, for a month",
	"award_grant_lines":    "a view of award_grant_log and badges",
	"event_names":          "what the editor completes by: seen again",
	"award_ruleset":        "of the moment",
	"award_pending":        "of the moment",
	"award_recounts":       "of the moment",
	"notice_announcements": "of the moment",
	"notice_deliveries":    "on their way",
	"post_pools":           "of the moment: measured again",
	"post_polls":           "a log that is deleted after a week",
	"forum_urls":           "addresses that need not be asked for again; messages have theirs",
	"forum_inspections":    "of the moment",
	"forum_thread_list":    "a view of forum_threads",
	"message_list":         "a view of messages",
	"message_author_list":  "a view of message_authors",
	"notice_facts":         "a view of notices",
	"post_list":            "a view of posts",
	"shown_awards":         "a view of awards",
	"award_members":        "a view of counters, progress and grants",
	"badge_losses":         "a view of badges",
	"robots":               "of the moment: read again",
	"message_things":       "a view of message_references",
	"account_details":      "a view of accounts and the three tables beside",
	"suspended_sites":      "a view of site_circuits",
	"submissions_events":   "a view of submissions",
	"ratings_events":       "a view of ratings",
	"days_events":          "a view of days",
	"messages_events":      "a view of messages",
	"posts_events":         "a view of posts",
	"own_items":            "a view of the five above",
	"goose_db_version":     "of the migrations, not data",
}

// Export writes all data as JSON lines, each {"table": ..., column: value, ...},
// as it was at one moment. Rows are streamed: memory does not grow with them.
func Export(ctx context.Context, db *gorm.DB, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		// Who reads it may be slow.
		if err := tx.Exec(`SET LOCAL idle_in_transaction_session_timeout = 0`).Error; err != nil {
			return err
		}
		archived, err := archiveTables(ctx, tx)
		if err != nil {
			return fmt.Errorf("tables of the archive: %w", err)
		}
		for _, e := range append(slices.Clone(exports), archived...) {
			if err := e.write(tx.WithContext(ctx), out); err != nil {
				return fmt.Errorf("export %s: %w", e.table, err)
			}
		}
		return nil
	}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	return out.Flush()
}

// ofArchive are the tables of the archive, which grow with the shards that admins
// declare. All of them are data.
var ofArchive = regexp.MustCompile(`^(archive|shard)_[a-z0-9_]+$`)

func archiveTables(ctx context.Context, tx *gorm.DB) (tables []exported, err error) {
	var names []string
	err = tx.WithContext(ctx).Raw(`SELECT table_name FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE "C"`).Scan(&names).Error
	for _, name := range names {
		if ofArchive.MatchString(name) {
			tables = append(tables, exported{table: name, order: `CAST(t AS text) COLLATE "C"`})
		}
	}
	return tables, err
}

func (e *exported) write(tx *gorm.DB, out *bufio.Writer, args ...any) error {
	rows, err := tx.Raw(e.statement(), args...).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line sql.RawBytes
		if err := rows.Scan(&line); err != nil {
			return err
		}
		_, _ = out.Write(line)
		if err := out.WriteByte('\n'); err != nil { // A failed Write returns its error again here.
			return err
		}
	}
	return rows.Err()
}

// statement puts the table's name before the columns of the row. All its parts
// are constants of this file, or names that ofArchive has let pass.
func (e *exported) statement() string {
	where := e.where
	if where == "" {
		where = "true"
	}
	return fmt.Sprintf(`SELECT '{"table":"%s",' || substr(CAST(to_jsonb(t) - string_to_array('%s', ',') AS text), 2) FROM %s t WHERE %s
		ORDER BY %s`,
		e.table, e.withheld, e.table, where, e.order)
}
