-- +goose Up

-- Submissions, the problems they are of, ratings, and sums over them.

-- Problems are never deleted.
CREATE TABLE problems (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site text NOT NULL,
    key  text NOT NULL, -- The site's own name of the problem, e.g. 1854D.
    name text NOT NULL DEFAULT '', -- '' until the site's catalogue was read.
    url  text NOT NULL,
    UNIQUE (site, key)
);
CREATE INDEX problems_nameless ON problems (site) WHERE name = '';

-- Submissions of accounts. Only the account is a foreign key: checking three took a
-- third of the time of a first retrieval.
CREATE TABLE submissions (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id    bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    member_id     bigint NOT NULL, -- The account's.
    site          text NOT NULL, -- The account's.
    site_id       text NOT NULL, -- The site's own number of the submission.
    problem_id    bigint NOT NULL, -- Of problems.
    status        text NOT NULL, -- Ours: AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING.
    verdict       text NOT NULL, -- The site's own word.
    language      text NOT NULL, -- The site's own word.
    points        double precision, -- Null: the site gives none.
    submitted_at  timestamptz NOT NULL,
    to_minute     boolean NOT NULL DEFAULT false, -- The site shows only the minute; submitted_at is its beginning.
    url           text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    revised_at    timestamptz, -- When a change was last seen.
    past          jsonb, -- What it was before each revision, oldest first: [{"until": ..., "status": ..., ...}].
    UNIQUE (account_id, site_id) -- A team's submission belongs to each of its members.
);
CREATE INDEX submissions_member ON submissions (member_id, submitted_at DESC, id DESC);
CREATE INDEX submissions_all ON submissions (submitted_at DESC, id DESC);
CREATE INDEX submissions_pending ON submissions (account_id, submitted_at) WHERE status = 'PENDING';
CREATE INDEX submissions_solved ON submissions (member_id, problem_id, submitted_at, id) WHERE status = 'AC'; -- First solutions.
CREATE INDEX submissions_problem ON submissions (problem_id, member_id);

-- Rated contests of accounts.
CREATE TABLE ratings (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    contest    text NOT NULL, -- The site's own id of the contest.
    name       text NOT NULL, -- The contest's.
    url        text NOT NULL,
    rank       integer NOT NULL,
    rating     integer NOT NULL, -- After the contest.
    rated_at   timestamptz NOT NULL,
    PRIMARY KEY (account_id, contest)
);

-- What submissions and rated contests are as events (see events), for registered members.
-- Accepted is what counts; what is being judged may yet; all else is rejected.
CREATE VIEW submissions_events AS
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
JOIN problems p ON p.id = s.problem_id;

CREATE VIEW ratings_events AS
SELECT
    r.account_id,
    r.contest,
    a.member_id,
    m.name,
    m.time_zone AS zone,
    a.site || '/' || r.contest || '@' || a.id AS item,
    'rating' AS type,
    a.site || '/' || r.contest AS object,
    'active' AS status,
    r.rated_at AS at,
    json_build_object(
        'site', a.site, 'contest', r.contest, 'name', r.name, 'rank', r.rank, 'rating', r.rating
    ) AS facts
FROM ratings r
JOIN accounts a ON a.id = r.account_id
JOIN members m ON m.id = a.member_id AND NOT m.custom;

-- submission_at is what a submission was at a moment, as JSON, by its past: null where it
-- was not revised since.
CREATE FUNCTION submission_at(past jsonb, at timestamptz) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN (
    SELECT p
    FROM jsonb_array_elements(past) p
    WHERE CAST(p ->> 'until' AS timestamptz) > at
    ORDER BY CAST(p ->> 'until' AS timestamptz)
    LIMIT 1
);

-- Submissions by day. A day is one of the member's time zone.
CREATE TABLE days (
    member_id   bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    day         date NOT NULL,
    submissions integer NOT NULL,
    accepted    integer NOT NULL,
    PRIMARY KEY (member_id, day)
);

-- Totals and streaks of members. Written, as days are, when a retrieval ends.
CREATE TABLE member_stats (
    member_id       bigint PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    submissions     integer NOT NULL DEFAULT 0,
    accepted        integer NOT NULL DEFAULT 0,
    solved          integer NOT NULL DEFAULT 0, -- Distinct problems.
    day_streak      integer NOT NULL DEFAULT 0, -- Days in a row ending with last_day.
    best_day_streak integer NOT NULL DEFAULT 0,
    last_day        date, -- With a submission.
    ac_streak       integer NOT NULL DEFAULT 0, -- Accepted submissions in a row, up to the newest.
    best_ac_streak  integer NOT NULL DEFAULT 0,
    newest_at       timestamptz -- The newest submission.
);
