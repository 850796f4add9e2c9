-- +goose Up

-- What members bring themselves: rows of sites that servers cannot read, and sites that an
-- admin declares.

CREATE TABLE outside_sites (
    name           text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,31}$'), -- In addresses and rows; no built-in site's.
    title          text NOT NULL, -- What people call it.
    home           text NOT NULL, -- An http(s) address.
    handle_pattern text NOT NULL, -- What a handle looks like, a regular expression; '': anything without blanks.
    problem_url    text NOT NULL, -- A problem's address with {key} in it; '': as it was pushed.
    declared_at    timestamptz NOT NULL
);
COMMENT ON TABLE outside_sites IS
    'Sites that Laurel does not read: their rows are pushed. Their accounts are paused for good. Written by admins.';

ALTER TABLE submissions ADD COLUMN source text NOT NULL DEFAULT 'site' CHECK (source IN ('site', 'member'));
COMMENT ON COLUMN submissions.source IS
    'Who showed the row: the site, or the member who brought it. What the site shows wins, and such a row never changes back.';
CREATE INDEX submissions_brought ON submissions (account_id) WHERE source = 'member';

ALTER TABLE accounts ADD COLUMN pushed_at timestamptz;
COMMENT ON COLUMN accounts.pushed_at IS 'When its member last pushed submissions of it; null: never.';

CREATE OR REPLACE VIEW account_details AS
SELECT a.id, a.member_id, a.site, a.handle, a.site_key, a.former_handle, a.renamed_at, a.created_at,
    s.state, s.due_at, s.reason, s.delay, s.usual_hour, s.requested_at, s.checked_at,
    s.outcome, s.message, s.failures, s.failing_since, s.not_found, s.last_attempt_at, s.last_retrieved_at,
    s.lease_id, s.leased_until, s.started_at, s.page,
    c.covered_at, c.covered_id, c.cursor, c.complete_until, c.missing, c.missing_from, c.missing_until,
    c.open_at, c.ratings_at, c.profile_at,
    t.submissions, t.accepted, t.solved, t.statuses, t.newest_at, t.pending_from, t.new_rows, t.last_new,
    a.pushed_at
FROM accounts a
JOIN account_schedule s ON s.account_id = a.id
JOIN account_coverage c ON c.account_id = a.id
JOIN account_stats t ON t.account_id = a.id;

-- A file that a member brings, between its preview and the button that stores it: one each.
CREATE TABLE brought_files (
    member_id  bigint PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    id         text NOT NULL, -- Random: the button stores what its preview showed.
    handle     text NOT NULL, -- For accounts that are not there yet.
    body       bytea NOT NULL, -- The lines that could be read, as a push has them, zstd.
    unread     jsonb NOT NULL, -- The lines that could not: [{"line": 3, "error": "..."}].
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE brought_files IS 'Files between preview and confirmation. Removed when stored, or after a day.';
