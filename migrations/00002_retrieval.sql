-- +goose Up

-- An account is a member's handle on a site, and its own job: due_at says when
-- to look again, the lease says who is looking now.
CREATE TABLE accounts (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id         bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    site              text NOT NULL,
    handle            text NOT NULL,
    site_key          text NOT NULL DEFAULT '', -- The site's own number for the handle, once known.
    state             text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'active', 'invalid', 'paused')),
    outcome           text NOT NULL DEFAULT '', -- Of the last attempt; '' before the first.
    message           text NOT NULL DEFAULT '', -- Why, in words for the profile.
    delay             integer NOT NULL DEFAULT 0,
    failures          integer NOT NULL DEFAULT 0, -- In a row.
    failing_since     timestamptz, -- The first of them.
    not_found         integer NOT NULL DEFAULT 0, -- Proofs of absence in a row.
    covered_at        timestamptz, -- Everything before is read; only newer rows are asked for.
    covered_id        text NOT NULL DEFAULT '', -- The newest submission id at or before covered_at.
    last_retrieved_at timestamptz, -- The last complete retrieval.
    last_attempt_at   timestamptz,
    complete_until    timestamptz,
    due_at            timestamptz NOT NULL,
    requested_at      timestamptz, -- Set by the button until answered.
    started_at        timestamptz, -- When the lease was taken.
    lease_id          text NOT NULL DEFAULT '',
    leased_until      timestamptz,
    page              integer NOT NULL DEFAULT 0, -- The page being fetched, or the last one fetched.
    new_rows          integer NOT NULL DEFAULT 0, -- Inserted since the last complete retrieval.
    last_new          integer NOT NULL DEFAULT 0, -- Inserted by the last complete retrieval.
    dirty_from        timestamptz, -- Rows at or after this changed and are not in the sums yet.
    ratings_at        timestamptz, -- When the ratings were last read.
    submissions       integer NOT NULL DEFAULT 0,
    accepted          integer NOT NULL DEFAULT 0,
    solved            integer NOT NULL DEFAULT 0, -- Distinct problems.
    statuses          jsonb NOT NULL DEFAULT '{}', -- {"AC": 128, ...}
    newest_at         timestamptz, -- The newest submission.
    created_at        timestamptz NOT NULL,
    UNIQUE (member_id, site)
);
CREATE INDEX accounts_due ON accounts (site, due_at) WHERE state <> 'paused' AND requested_at IS NULL;
CREATE INDEX accounts_requested ON accounts (site, requested_at) WHERE state <> 'paused' AND requested_at IS NOT NULL;

CREATE TABLE problems (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site text NOT NULL,
    key  text NOT NULL, -- The site's own name of the problem, e.g. 1854D.
    name text NOT NULL DEFAULT '', -- '' until the site's catalogue was read.
    url  text NOT NULL,
    UNIQUE (site, key)
);
CREATE INDEX problems_nameless ON problems (site) WHERE name = '';

-- Only the account is a foreign key: checking three made a third of the time
-- that a first history takes, and the account's is the one that things hang on.
CREATE TABLE submissions (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    member_id    bigint NOT NULL, -- The account's.
    site         text NOT NULL,
    site_id      text NOT NULL, -- The site's own number of the submission.
    problem_id   bigint NOT NULL, -- Of problems, which are never deleted.
    status       text NOT NULL, -- Ours: AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING.
    verdict      text NOT NULL, -- The site's own word.
    language     text NOT NULL,
    points       double precision,
    submitted_at timestamptz NOT NULL,
    url          text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    revised_at   timestamptz,
    -- A team's submission belongs to each of its members, so the site's number
    -- alone is not the key.
    UNIQUE (account_id, site_id)
);
CREATE INDEX submissions_member ON submissions (member_id, submitted_at DESC, id DESC);
CREATE INDEX submissions_all ON submissions (submitted_at DESC, id DESC);
CREATE INDEX submissions_pending ON submissions (account_id, submitted_at) WHERE status = 'PENDING';

CREATE TABLE ratings (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    contest    text NOT NULL, -- The site's own name of the contest.
    name       text NOT NULL,
    url        text NOT NULL,
    rank       integer NOT NULL,
    rating     integer NOT NULL,
    rated_at   timestamptz NOT NULL,
    PRIMARY KEY (account_id, contest)
);

-- Sums over submissions, kept by FinishRetrieval. A day is the member's own.
CREATE TABLE days (
    member_id   bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    day         date NOT NULL,
    submissions integer NOT NULL,
    accepted    integer NOT NULL,
    PRIMARY KEY (member_id, day)
);
CREATE TABLE member_stats (
    member_id       bigint PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    submissions     integer NOT NULL DEFAULT 0,
    accepted        integer NOT NULL DEFAULT 0,
    solved          integer NOT NULL DEFAULT 0,
    day_streak      integer NOT NULL DEFAULT 0, -- Days in a row ending with last_day.
    best_day_streak integer NOT NULL DEFAULT 0,
    last_day        date,
    ac_streak       integer NOT NULL DEFAULT 0, -- Accepted submissions in a row, up to the newest.
    best_ac_streak  integer NOT NULL DEFAULT 0,
    newest_at       timestamptz
);

-- The next moment a host or a site may be asked, for all processes together.
CREATE TABLE turns (
    key        text PRIMARY KEY,
    next_at    timestamptz NOT NULL,
    holder     text NOT NULL DEFAULT '', -- Who is asking right now.
    held_until timestamptz, -- A holder that died is passed over after this.
    urgent_until timestamptz -- Somebody who cannot wait is in line; others let them go first.
);

-- What retrieval did, by site, hour and outcome.
CREATE TABLE site_hours (
    site       text NOT NULL,
    hour       timestamptz NOT NULL,
    outcome    text NOT NULL,
    retrievals integer NOT NULL,
    requests   integer NOT NULL,
    new_rows   integer NOT NULL,
    first_at   timestamptz NOT NULL,
    last_at    timestamptz NOT NULL,
    message    text NOT NULL,
    PRIMARY KEY (site, hour, outcome)
);
