-- +goose Up

-- Rows of sites' lists that no reader understood: the others of their lists are stored.
CREATE TABLE unread_rows (
    account_id    bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    key           text NOT NULL, -- The site's own number; where that was not read either, '#' and the hash of the text.
    text          text NOT NULL, -- As the site sent it, cut short; '': the account has too many to keep it.
    why           text NOT NULL,
    since         timestamptz, -- It was not made before, as the rows around it say; null: nobody knows.
    first_seen_at timestamptz NOT NULL,
    last_seen_at  timestamptz NOT NULL,
    PRIMARY KEY (account_id, key)
);
COMMENT ON TABLE unread_rows IS 'Rows that could not be read, until they can or are no longer listed.';

ALTER TABLE account_coverage ADD COLUMN unread integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN account_coverage.unread IS 'How many unread rows the account has: it is not complete beyond the first of them.';

CREATE OR REPLACE VIEW account_details AS
SELECT a.id, a.member_id, a.site, a.handle, a.site_key, a.former_handle, a.renamed_at, a.created_at,
    s.state, s.due_at, s.reason, s.delay, s.usual_hour, s.requested_at, s.checked_at,
    s.outcome, s.message, s.failures, s.failing_since, s.not_found, s.last_attempt_at, s.last_retrieved_at,
    s.lease_id, s.leased_until, s.started_at, s.page,
    c.covered_at, c.covered_id, c.cursor, c.complete_until, c.missing, c.missing_from, c.missing_until,
    c.open_at, c.ratings_at, c.profile_at,
    t.submissions, t.accepted, t.solved, t.statuses, t.newest_at, t.pending_from, t.new_rows, t.last_new,
    a.pushed_at, s.audit_due_at, s.audit_at, s.audited_at, s.audit_requests,
    c.reported_solved, c.reported_submissions, c.left_solved, c.left_submissions,
    c.unread
FROM accounts a
JOIN account_schedule s ON s.account_id = a.id
JOIN account_coverage c ON c.account_id = a.id
JOIN account_stats t ON t.account_id = a.id;
