-- +goose Up

-- Members prove that a handle is theirs, and people without an account that one is, to be left out or to take it over.

ALTER TABLE accounts ADD COLUMN proved_at timestamptz;
COMMENT ON COLUMN accounts.proved_at IS 'When the member proved that the handle is theirs; null: they did not, or it has another name since.';
-- Of several members with one handle, one has proved it: the last who did.
CREATE UNIQUE INDEX accounts_proved ON accounts (site, lower(handle)) WHERE proved_at IS NOT NULL;

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
    c.unread, s.audited_from, a.proved_at
FROM accounts a
JOIN account_schedule s ON s.account_id = a.id
JOIN account_coverage c ON c.account_id = a.id
JOIN account_stats t ON t.account_id = a.id;

CREATE TABLE handle_proofs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key          text NOT NULL UNIQUE,
    member_id    bigint REFERENCES members ON DELETE CASCADE,
    site         text NOT NULL,
    handle       text NOT NULL,
    code         text NOT NULL,
    begun_at     timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    checks       integer NOT NULL DEFAULT 0,
    requested_at timestamptz,
    leased_until timestamptz,
    message      text NOT NULL DEFAULT '',
    proved_at    timestamptz
);
CREATE UNIQUE INDEX handle_proofs_member ON handle_proofs (member_id, site) WHERE member_id IS NOT NULL;
CREATE INDEX handle_proofs_waiting ON handle_proofs (site, requested_at) WHERE requested_at IS NOT NULL;
CREATE INDEX handle_proofs_begun ON handle_proofs (begun_at);
COMMENT ON TABLE handle_proofs IS
    'Codes that people put into their profile on a site, to prove that a handle is theirs. Those without a member go after a day.';
COMMENT ON COLUMN handle_proofs.key IS 'In the address of somebody without an account; who knows it may act on the proof.';
COMMENT ON COLUMN handle_proofs.member_id IS 'Null: somebody without an account.';
COMMENT ON COLUMN handle_proofs.checks IS 'How often the site was to be asked for the code.';
COMMENT ON COLUMN handle_proofs.requested_at IS 'A job is to ask the site; null: nothing waits.';
COMMENT ON COLUMN handle_proofs.message IS 'Why the last check proved nothing.';

CREATE TABLE left_out_handles (
    site   text NOT NULL,
    handle text NOT NULL, -- In small letters.
    since  timestamptz NOT NULL,
    PRIMARY KEY (site, handle)
);
COMMENT ON TABLE left_out_handles IS 'Handles whose owners want not to be read here: no account has one, until the owner proves it again.';
