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
