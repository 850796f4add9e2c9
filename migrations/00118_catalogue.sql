-- +goose Up

-- Problems and contests as facts: what sites' catalogues say of them, and of a submission its
-- contest and how the member took part.

ALTER TABLE problems
    ADD COLUMN difficulty        integer, -- On the site's own scale; null: none is known.
    ADD COLUMN difficulty_source text NOT NULL DEFAULT '', -- Who says so: the site, or who rates its problems.
    ADD COLUMN experimental      boolean NOT NULL DEFAULT false, -- The source itself calls its difficulty a guess.
    ADD COLUMN tags              text[] NOT NULL DEFAULT '{}', -- The site's words, in order.
    ADD COLUMN canonical_id      bigint, -- Of problems: the same problem under the key that counts; null: its own, or not known.
    ADD COLUMN matched           boolean NOT NULL DEFAULT false, -- It was compared with problems of the same name.
    ADD COLUMN listed_at         timestamptz, -- When the site's catalogue first had it; null: never, only members met it.
    ADD COLUMN retired_at        timestamptz, -- When the catalogue no longer had it.
    ADD COLUMN facts_due         boolean NOT NULL DEFAULT false; -- Its difficulty or tags changed, and events do not say so yet.
CREATE INDEX problems_unmatched ON problems (site, id) WHERE NOT matched;
CREATE INDEX problems_names ON problems (site, name) WHERE name <> '';
CREATE INDEX problems_facts_due ON problems (id) WHERE facts_due;
CREATE INDEX problems_difficulty ON problems (difficulty, id) WHERE difficulty IS NOT NULL;
CREATE INDEX problems_tags ON problems USING gin (tags);

-- Contests of sites. They are never deleted.
CREATE TABLE contests (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site       text NOT NULL,
    key        text NOT NULL, -- The site's own name of the contest, e.g. 1854 or abc310.
    name       text NOT NULL DEFAULT '', -- '' until a list was read; lists may not have it.
    url        text NOT NULL DEFAULT '',
    starts_at  timestamptz, -- Null: not known, or not fixed yet.
    ends_at    timestamptz, -- As announced; null with starts_at.
    listed_at  timestamptz, -- When a list of the site first had it; null: only submissions name it.
    retired_at timestamptz, -- When a list of all contests no longer had it.
    times_due  boolean NOT NULL DEFAULT false, -- Its times changed, and submissions in it do not follow yet.
    UNIQUE (site, key)
);
CREATE INDEX contests_starts ON contests (starts_at, id);
CREATE INDEX contests_ends ON contests (ends_at, id);
CREATE INDEX contests_times_due ON contests (id) WHERE times_due;

-- The problems of contests. A problem may be in several.
CREATE TABLE contest_problems (
    contest_id bigint NOT NULL REFERENCES contests ON DELETE CASCADE,
    problem_id bigint NOT NULL REFERENCES problems ON DELETE CASCADE,
    label      text NOT NULL DEFAULT '', -- What it is called in the contest: A, B, C1; '' where nobody said.
    PRIMARY KEY (contest_id, problem_id)
);
CREATE INDEX contest_problems_problem ON contest_problems (problem_id);

-- contest_state says whether a contest is running, coming or past. One that only submissions
-- name has begun; of a listed one without a start nobody knows yet when it will.
CREATE FUNCTION contest_state(starts_at timestamptz, ends_at timestamptz, listed_at timestamptz, at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN starts_at IS NULL THEN CASE WHEN listed_at IS NULL THEN 'past' ELSE 'coming' END
    WHEN starts_at > at THEN 'coming'
    WHEN ends_at > at THEN 'running'
    ELSE 'past'
END;

ALTER TABLE submissions
    ADD COLUMN contest_id    bigint, -- Of contests; null: none, or it was read before contests were.
    ADD COLUMN participation text CHECK (participation IN ('contest', 'virtual', 'practice', 'unknown'));
COMMENT ON COLUMN submissions.participation IS
    'How the member took part. Null with a contest: its times will tell. Null without one: the row was read before this was.';
CREATE INDEX submissions_contest ON submissions (contest_id) WHERE contest_id IS NOT NULL;
CREATE INDEX submissions_factless ON submissions (account_id) WHERE participation IS NULL AND contest_id IS NULL;

-- participation_by_time is how somebody took part by the times of the contest: null while they are
-- not known. What is open for months is no contest that one takes part in.
CREATE FUNCTION participation_by_time(starts_at timestamptz, ends_at timestamptz, at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN starts_at IS NULL OR ends_at IS NULL THEN NULL
    WHEN ends_at <= starts_at + interval '60 days' AND at >= starts_at AND at < ends_at THEN 'contest'
    ELSE 'practice'
END;

-- Rows of a site's list also tell the contest, and facts of the problem.
DROP FUNCTION found_submissions(jsonb);
-- +goose StatementBegin
CREATE FUNCTION found_submissions(rows jsonb) RETURNS TABLE (id text, at timestamptz, problem_key text, problem_name text,
    problem_url text, status text, verdict text, language text, points double precision, url text, to_minute boolean,
    formerly text, expected boolean, difficulty integer, tags text[], contest text, contest_name text, contest_url text,
    participation text)
LANGUAGE sql IMMUTABLE STRICT
BEGIN ATOMIC
    SELECT f.id, f.at, f.problem_key, f.problem_name, f.problem_url, f.status, f.verdict, f.language, f.points, f.url,
        f.to_minute, f.formerly, f.expected, f.difficulty, coalesce(f.tags, '{}'), coalesce(f.contest, ''),
        coalesce(f.contest_name, ''), coalesce(f.contest_url, ''), coalesce(f.participation, '')
    FROM jsonb_to_recordset(rows) AS f(id text, at timestamptz, problem_key text, problem_name text, problem_url text,
        status text, verdict text, language text, points double precision, url text, to_minute boolean, formerly text,
        expected boolean, difficulty integer, tags text[], contest text, contest_name text, contest_url text,
        participation text);
END;
-- +goose StatementEnd

-- Events of submissions say the difficulty and tags of the problem as they are known now, the
-- contest, and how the member took part.
CREATE OR REPLACE VIEW submissions_events AS
SELECT
    s.id,
    s.account_id,
    s.member_id,
    m.name,
    m.time_zone AS zone,
    s.site || '/' || s.site_id || '@' || s.account_id AS item,
    'submission' AS type,
    s.site || '/' || p.key AS object,
    CASE s.status WHEN 'AC' THEN 'active' WHEN 'PENDING' THEN 'moderation' ELSE 'rejected' END AS status,
    s.submitted_at AS at,
    json_build_object(
        'site', s.site,
        'language', s.language,
        'verdict', s.status,
        'points', s.points,
        'problem', nullif(p.name, ''),
        'difficulty', p.difficulty,
        'tags', nullif(p.tags, '{}'),
        'contest', c.key,
        'participation', coalesce(s.participation, 'unknown'),
        'url', s.url,
        'first_solve', s.status = 'AC' AND NOT EXISTS (
            SELECT
            FROM submissions o
            WHERE o.member_id = s.member_id
                AND o.problem_id = s.problem_id
                AND o.status = 'AC'
                AND (o.submitted_at, o.id) < (s.submitted_at, s.id)
        )
    ) AS facts
FROM submissions s
JOIN members m ON m.id = s.member_id AND NOT m.custom
JOIN problems p ON p.id = s.problem_id
LEFT JOIN contests c ON c.id = s.contest_id;

-- The lists of a site's catalogue, of problems, contests and what is rated. A row is its own job.
CREATE TABLE site_lists (
    site          text NOT NULL,
    name          text NOT NULL, -- problems, contests, ...
    items         integer NOT NULL DEFAULT 0, -- Of the last reading that counts.
    etag          text NOT NULL DEFAULT '', -- Of that reading,
    last_modified text NOT NULL DEFAULT '',
    read_at       timestamptz, -- when it was; null: never.
    shrunk_since  timestamptz, -- Since when readings are refused, for they lack more than a tenth.
    outcome       text NOT NULL DEFAULT '', -- Of the last attempt.
    message       text NOT NULL DEFAULT '',
    failures      integer NOT NULL DEFAULT 0,
    due_at        timestamptz NOT NULL,
    lease_id      text NOT NULL DEFAULT '',
    leased_until  timestamptz,
    PRIMARY KEY (site, name)
);
COMMENT ON TABLE site_lists IS 'Lists of sites'' catalogues, read once a day, those of contests more often near a start or an end.';

-- A list of problems or contests that lost a good part is refused.
ALTER TABLE site_alarms DROP CONSTRAINT site_alarms_kind_check;
ALTER TABLE site_alarms ADD CONSTRAINT site_alarms_kind_check
    CHECK (kind IN ('circuit', 'emptied', 'verdict', 'language', 'unreadable', 'canary', 'catalogue'));
