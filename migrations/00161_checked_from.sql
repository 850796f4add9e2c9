-- +goose Up

-- A site that lists only the newest submissions cannot be checked row by row before them.
ALTER TABLE account_schedule ADD COLUMN audited_from timestamptz;
COMMENT ON COLUMN account_schedule.audited_from IS 'Rows made before it were too old for the list of the last whole reading: of them the site''s counts alone were compared. Null: every row was.';

-- Nobody knows how far the lists of earlier whole readings went.
UPDATE account_schedule SET audited_from = audited_at WHERE site = 'leetcode';

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
    c.unread, s.audited_from
FROM accounts a
JOIN account_schedule s ON s.account_id = a.id
JOIN account_coverage c ON c.account_id = a.id
JOIN account_stats t ON t.account_id = a.id;
