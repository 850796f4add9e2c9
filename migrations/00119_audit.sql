-- +goose Up

-- Audit: accounts are read whole again from time to time, for what appears or changes behind
-- covered ground.

ALTER TABLE account_schedule
    ADD COLUMN audit_due_at   timestamptz, -- When it is to be read whole again, as far as requests allow; null: never was.
    ADD COLUMN audit_at       timestamptz, -- It is being read whole since then, or is to be; null: it is not.
    ADD COLUMN audited_at     timestamptz, -- Checked through: when the last whole reading began.
    ADD COLUMN audit_requests integer NOT NULL DEFAULT 0; -- Those of the last whole reading.
CREATE INDEX account_schedule_audit ON account_schedule (site, audit_due_at) WHERE state = 'active' AND audit_at IS NULL;

ALTER TABLE account_coverage
    ADD COLUMN reported_solved      integer, -- By the site's own count; null: it gives none.
    ADD COLUMN reported_submissions integer,
    ADD COLUMN left_solved          integer, -- Reported less stored, as the last whole reading left it.
    ADD COLUMN left_submissions     integer;

UPDATE account_schedule SET audit_due_at = last_retrieved_at WHERE last_retrieved_at IS NOT NULL;

ALTER TABLE submissions ADD COLUMN unlisted_at timestamptz;
COMMENT ON COLUMN submissions.unlisted_at IS 'When a whole reading did not show the row any more; null: it is listed. It goes on counting.';

ALTER TABLE site_hours ADD COLUMN audit_requests integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN site_hours.audit_requests IS 'Those of requests that read accounts whole again by themselves.';

CREATE TABLE audit_rows (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    site_id    text NOT NULL,
    PRIMARY KEY (account_id, site_id)
);
COMMENT ON TABLE audit_rows IS 'What the whole reading that is under way has shown, until it ends.';

CREATE OR REPLACE VIEW account_details AS
SELECT a.id, a.member_id, a.site, a.handle, a.site_key, a.former_handle, a.renamed_at, a.created_at,
    s.state, s.due_at, s.reason, s.delay, s.usual_hour, s.requested_at, s.checked_at,
    s.outcome, s.message, s.failures, s.failing_since, s.not_found, s.last_attempt_at, s.last_retrieved_at,
    s.lease_id, s.leased_until, s.started_at, s.page,
    c.covered_at, c.covered_id, c.cursor, c.complete_until, c.missing, c.missing_from, c.missing_until,
    c.open_at, c.ratings_at, c.profile_at,
    t.submissions, t.accepted, t.solved, t.statuses, t.newest_at, t.pending_from, t.new_rows, t.last_new,
    a.pushed_at, s.audit_due_at, s.audit_at, s.audited_at, s.audit_requests,
    c.reported_solved, c.reported_submissions, c.left_solved, c.left_submissions
FROM accounts a
JOIN account_schedule s ON s.account_id = a.id
JOIN account_coverage c ON c.account_id = a.id
JOIN account_stats t ON t.account_id = a.id;
