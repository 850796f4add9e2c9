-- +goose Up

-- Accounts in four tables, each with one reason to change; the site's activity streams and
-- the terms that are not known, by their names; and the rules that several claims share.

-- Locks are taken in the order of members, accounts, account_schedule, account_coverage,
-- account_stats. Who has the row of account_schedule locked may write the two others.
CREATE TABLE account_schedule (
    account_id        bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    site              text NOT NULL, -- The account's, which never changes: for the indexes of claims.
    state             text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'active', 'invalid', 'paused')),
    due_at            timestamptz NOT NULL,
    reason            text NOT NULL DEFAULT '', -- Why then.
    delay             integer NOT NULL DEFAULT 0, -- Empty retrievals in a row.
    usual_hour        smallint, -- The hour of UTC after which its days are usually over; null: not known.
    requested_at      timestamptz, -- A member asked for a retrieval that has not ended yet.
    checked_at        timestamptz NOT NULL DEFAULT 'epoch', -- When a bulk check last covered it.

    -- The last attempt
    outcome           text NOT NULL DEFAULT '', -- '' before the first.
    message           text NOT NULL DEFAULT '', -- Why, in words for the profile.
    failures          integer NOT NULL DEFAULT 0, -- In a row.
    failing_since     timestamptz, -- The first of them.
    not_found         integer NOT NULL DEFAULT 0, -- Proofs of absence in a row.
    last_attempt_at   timestamptz,
    last_retrieved_at timestamptz, -- The last complete retrieval.

    -- The lease
    lease_id          text NOT NULL DEFAULT '',
    leased_until      timestamptz,
    started_at        timestamptz, -- When the lease was taken.
    page              integer NOT NULL DEFAULT 0 -- The page being fetched, or the last one fetched.
);
COMMENT ON TABLE account_schedule IS
    'When an account is fetched next and who fetches it now. Written by models/retrieval: claims, ends of fetches, the planner.';

CREATE TABLE account_coverage (
    account_id     bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    covered_at     timestamptz, -- Everything before is stored; only newer rows are asked for.
    covered_id     text NOT NULL DEFAULT '', -- The newest submission id at or before covered_at.
    cursor         text NOT NULL DEFAULT '', -- Where an interrupted first fetch goes on, as its reader writes it; '': from the start.
    complete_until timestamptz, -- Everything submitted before is stored.
    missing        integer NOT NULL DEFAULT 0, -- Submissions that the site counts and no longer lists.
    missing_from   date, -- The days of UTC between which they lie; null: not known.
    missing_until  date,
    open_at        timestamptz, -- Verdicts may change until then.
    ratings_at     timestamptz, -- When the ratings were last fetched.
    profile_at     timestamptz -- When the profile page was last fetched.
);
COMMENT ON TABLE account_coverage IS
    'How much of an account is stored. Written when a page is stored, when a fetch ends, and by evidence that nothing is new.';

CREATE TABLE account_stats (
    account_id    bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    submissions   integer NOT NULL DEFAULT 0,
    accepted      integer NOT NULL DEFAULT 0,
    solved        integer NOT NULL DEFAULT 0, -- Distinct problems.
    statuses      jsonb NOT NULL DEFAULT '{}', -- {"AC": 128, ...}
    newest_at     timestamptz, -- The newest submission.
    pending_from  timestamptz, -- Rows at or after this changed and are not counted yet.
    new_rows      integer NOT NULL DEFAULT 0, -- Inserted since the last complete retrieval.
    last_new      integer NOT NULL DEFAULT 0 -- Inserted by the last complete retrieval.
);
COMMENT ON TABLE account_stats IS
    'Counts of an account''s submissions, and what is not counted yet. Written by whoever stores submissions.';

INSERT INTO account_schedule (account_id, site, state, due_at, reason, delay, usual_hour, requested_at, checked_at, outcome,
    message, failures, failing_since, not_found, last_attempt_at, last_retrieved_at, lease_id, leased_until, started_at, page)
SELECT id, site, state, due_at, reason, delay, usual_hour, requested_at, probed_at, outcome,
    message, failures, failing_since, not_found, last_attempt_at, last_retrieved_at, lease_id, leased_until, started_at, page
FROM accounts;
INSERT INTO account_coverage (account_id, covered_at, covered_id, cursor, complete_until, missing, missing_from, missing_until,
    open_at, ratings_at, profile_at)
SELECT id, covered_at, covered_id, place, complete_until, missing, missing_from, missing_until,
    open_at, ratings_at, profile_at
FROM accounts;
INSERT INTO account_stats (account_id, submissions, accepted, solved, statuses, newest_at, pending_from, new_rows, last_new)
SELECT id, submissions, accepted, solved, statuses, newest_at, dirty_from, new_rows, last_new
FROM accounts;

ALTER TABLE accounts
    DROP COLUMN state, DROP COLUMN due_at, DROP COLUMN reason, DROP COLUMN delay, DROP COLUMN usual_hour,
    DROP COLUMN requested_at, DROP COLUMN probed_at, DROP COLUMN outcome, DROP COLUMN message, DROP COLUMN failures,
    DROP COLUMN failing_since, DROP COLUMN not_found, DROP COLUMN last_attempt_at, DROP COLUMN last_retrieved_at,
    DROP COLUMN lease_id, DROP COLUMN leased_until, DROP COLUMN started_at, DROP COLUMN page,
    DROP COLUMN covered_at, DROP COLUMN covered_id, DROP COLUMN place, DROP COLUMN complete_until, DROP COLUMN missing,
    DROP COLUMN missing_from, DROP COLUMN missing_until, DROP COLUMN open_at, DROP COLUMN ratings_at, DROP COLUMN profile_at,
    DROP COLUMN submissions, DROP COLUMN accepted, DROP COLUMN solved, DROP COLUMN statuses, DROP COLUMN newest_at,
    DROP COLUMN dirty_from, DROP COLUMN new_rows, DROP COLUMN last_new;
COMMENT ON TABLE accounts IS
    'A member''s handle on a site: who it is. Each has one row in account_schedule, account_coverage and account_stats.';


-- Who has a schedule locked may note evidence, also while somebody removes the account.
ALTER TABLE account_evidence
    DROP CONSTRAINT account_evidence_account_id_fkey,
    ADD FOREIGN KEY (account_id) REFERENCES account_schedule ON DELETE CASCADE;

CREATE INDEX account_schedule_due ON account_schedule (site, due_at) WHERE state <> 'paused' AND requested_at IS NULL;
CREATE INDEX account_schedule_requested ON account_schedule (site, requested_at)
    WHERE state <> 'paused' AND requested_at IS NOT NULL;
CREATE INDEX account_schedule_checked ON account_schedule (site, checked_at)
    WHERE state = 'active' AND requested_at IS NULL AND last_retrieved_at IS NOT NULL;

-- Accounts with all that is known of them, for reading.
CREATE VIEW account_details AS
SELECT a.id, a.member_id, a.site, a.handle, a.site_key, a.former_handle, a.renamed_at, a.created_at,
    s.state, s.due_at, s.reason, s.delay, s.usual_hour, s.requested_at, s.checked_at,
    s.outcome, s.message, s.failures, s.failing_since, s.not_found, s.last_attempt_at, s.last_retrieved_at,
    s.lease_id, s.leased_until, s.started_at, s.page,
    c.covered_at, c.covered_id, c.cursor, c.complete_until, c.missing, c.missing_from, c.missing_until,
    c.open_at, c.ratings_at, c.profile_at,
    t.submissions, t.accepted, t.solved, t.statuses, t.newest_at, t.pending_from, t.new_rows, t.last_new
FROM accounts a
JOIN account_schedule s ON s.account_id = a.id
JOIN account_coverage c ON c.account_id = a.id
JOIN account_stats t ON t.account_id = a.id;

-- The sites that are not asked now: their circuit is open, or an admin has paused them.
CREATE VIEW suspended_sites AS
SELECT site FROM site_circuits WHERE paused_at IS NOT NULL OR state <> 'closed';

-- Whether a site may be asked: it is not suspended, and did not ask to be left alone for
-- longer than one waits in line for it.
-- +goose StatementBegin
CREATE FUNCTION may_ask(of text, at timestamptz) RETURNS boolean
LANGUAGE sql STABLE
RETURN NOT EXISTS (SELECT FROM suspended_sites s WHERE s.site = of)
    AND NOT EXISTS (
        SELECT FROM request_slots r WHERE r.key = 'source:' || of AND r.next_at > at + interval '10 seconds'
    );
-- +goose StatementEnd

-- The rows of a page, as statements read them.
-- +goose StatementBegin
CREATE FUNCTION found_submissions(rows jsonb) RETURNS TABLE (id text, at timestamptz, problem_key text, problem_name text,
    problem_url text, status text, verdict text, language text, points double precision, url text, to_minute boolean,
    formerly text, expected boolean)
LANGUAGE sql IMMUTABLE STRICT
BEGIN ATOMIC
    SELECT f.id, f.at, f.problem_key, f.problem_name, f.problem_url, f.status, f.verdict, f.language, f.points, f.url,
        f.to_minute, f.formerly, f.expected
    FROM jsonb_to_recordset(rows) AS f(id text, at timestamptz, problem_key text, problem_name text, problem_url text,
        status text, verdict text, language text, points double precision, url text, to_minute boolean, formerly text,
        expected boolean);
END;
-- +goose StatementEnd

-- A site's jobs that are about everybody: the activity stream, contests, bulk checks.
ALTER TABLE site_feeds RENAME TO site_streams;
ALTER INDEX site_feeds_pkey RENAME TO site_streams_pkey;
ALTER TABLE site_streams DROP CONSTRAINT site_feeds_kind_check;
UPDATE site_streams SET kind = CASE kind WHEN 'feed' THEN 'stream' WHEN 'probe' THEN 'bulk' ELSE kind END;
ALTER TABLE site_streams ALTER kind SET DEFAULT 'stream';
ALTER TABLE site_streams ADD CONSTRAINT site_streams_kind_check CHECK (kind IN ('stream', 'contests', 'bulk'));
ALTER TABLE site_streams RENAME holes TO gaps; -- How often coverage began anew; gap_from to gap_until is the last time.
ALTER TABLE site_streams RENAME hole_from TO gap_from;
ALTER TABLE site_streams RENAME hole_until TO gap_until;

-- A site's terms that the program does not translate.
ALTER TABLE site_words RENAME TO site_terms;
ALTER INDEX site_words_pkey RENAME TO site_terms_pkey;
ALTER TABLE site_terms RENAME CONSTRAINT site_words_kind_check TO site_terms_kind_check;
ALTER TABLE site_terms RENAME word TO term;
