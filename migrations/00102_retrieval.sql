-- +goose Up

-- Retrieval: accounts on judge sites, when each is fetched next, how the sites are,
-- and the request slots that keep all processes together polite.

-- An account is a member's handle on a site, and its own job: due_at says when it is
-- fetched next, the lease says who is fetching it now.
CREATE TABLE accounts (
    -- Identity
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id         bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    site              text NOT NULL,
    handle            text NOT NULL,
    site_key          text NOT NULL DEFAULT '', -- The site's own number for the handle, once known.
    former_handle     text NOT NULL DEFAULT '', -- Before the site gave the account a new one.
    renamed_at        timestamptz, -- When the new handle was seen.
    created_at        timestamptz NOT NULL,

    -- State, and the last attempt
    state             text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'active', 'invalid', 'paused')),
    outcome           text NOT NULL DEFAULT '', -- Of the last attempt; '' before the first.
    message           text NOT NULL DEFAULT '', -- Why, in words for the profile.
    failures          integer NOT NULL DEFAULT 0, -- In a row.
    failing_since     timestamptz, -- The first of them.
    not_found         integer NOT NULL DEFAULT 0, -- Proofs of absence in a row.
    last_attempt_at   timestamptz,

    -- Schedule
    due_at            timestamptz NOT NULL,
    reason            text NOT NULL DEFAULT '', -- Why then.
    delay             integer NOT NULL DEFAULT 0, -- Empty retrievals in a row.
    requested_at      timestamptz, -- A member asked for a retrieval that has not ended yet.
    last_retrieved_at timestamptz, -- The last complete retrieval.
    usual_hour        smallint, -- The hour of UTC after which its days are usually over; null: not known.
    probed_at         timestamptz NOT NULL DEFAULT 'epoch', -- When a bulk check last covered it.

    -- Lease
    lease_id          text NOT NULL DEFAULT '',
    leased_until      timestamptz,
    started_at        timestamptz, -- When the lease was taken.
    page              integer NOT NULL DEFAULT 0, -- The page being fetched, or the last one fetched.
    new_rows          integer NOT NULL DEFAULT 0, -- Inserted since the last complete retrieval.
    last_new          integer NOT NULL DEFAULT 0, -- Inserted by the last complete retrieval.

    -- Coverage
    covered_at        timestamptz, -- Everything before is stored; only newer rows are asked for.
    covered_id        text NOT NULL DEFAULT '', -- The newest submission id at or before covered_at.
    place             text NOT NULL DEFAULT '', -- Where an interrupted first retrieval goes on, in the reader's words; '': from the start.
    complete_until    timestamptz, -- Everything submitted before is stored.
    missing           integer NOT NULL DEFAULT 0, -- Submissions that the site counts and no longer lists.
    missing_from      date, -- The days of UTC between which they lie; null: not known.
    missing_until     date,
    open_at           timestamptz, -- Verdicts may change until then.
    profile_at        timestamptz, -- When the profile page was last fetched.
    ratings_at        timestamptz, -- When the ratings were last fetched.

    -- Sums
    dirty_from        timestamptz, -- Rows at or after this changed and are not in the sums yet.
    submissions       integer NOT NULL DEFAULT 0,
    accepted          integer NOT NULL DEFAULT 0,
    solved            integer NOT NULL DEFAULT 0, -- Distinct problems.
    statuses          jsonb NOT NULL DEFAULT '{}', -- {"AC": 128, ...}
    newest_at         timestamptz, -- The newest submission.
    UNIQUE (member_id, site)
);
CREATE INDEX accounts_due ON accounts (site, due_at) WHERE state <> 'paused' AND requested_at IS NULL;
CREATE INDEX accounts_requested ON accounts (site, requested_at) WHERE state <> 'paused' AND requested_at IS NOT NULL;
CREATE INDEX accounts_probed ON accounts (site, probed_at)
    WHERE state = 'active' AND requested_at IS NULL AND last_retrieved_at IS NOT NULL;
CREATE INDEX accounts_handle ON accounts (site, lower(handle));

-- What is known of when an account should be fetched, by who knows it. A complete fetch
-- takes away what was seen before it began.
CREATE TABLE account_evidence (
    account_id     bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    source         text NOT NULL,
    has_news       boolean NOT NULL,
    complete_until timestamptz, -- Everything is known until then; null: it does not say.
    due_by         timestamptz, -- The account should be fetched by then.
    again_at       timestamptz, -- When the source speaks of the account again.
    seen_at        timestamptz NOT NULL,
    PRIMARY KEY (account_id, source)
);

-- Circuit breakers: whether a site is asked at all, for all processes together. No
-- row: closed, and nothing was ever wrong.
CREATE TABLE site_circuits (
    site          text PRIMARY KEY,
    state         text NOT NULL DEFAULT 'closed' CHECK (state IN ('closed', 'open', 'half_open')),
    suspects      integer NOT NULL DEFAULT 0, -- Rows of site_suspects.
    opened_at     timestamptz,
    answered_at   timestamptz, -- The last complete answer before it opened; null: never.
    outcome       text NOT NULL DEFAULT '', -- Of the newest failure.
    message       text NOT NULL DEFAULT '',
    tries         integer NOT NULL DEFAULT 0, -- Trials that failed in a row.
    next_try_at   timestamptz,
    trial_account bigint, -- Half open: the account that is tried.
    trial_until   timestamptz, -- The trial counts as failed after this.
    paused_at     timestamptz, -- An admin's kill switch; null: not paused.
    paused_by     text NOT NULL DEFAULT '',
    paused_reason text NOT NULL DEFAULT ''
);

-- Handles that failed since the site's last good answer, and what they were before: a
-- failure that turns out to be the site's is not held against them.
CREATE TABLE site_suspects (
    site          text NOT NULL,
    handle        text NOT NULL,
    account_id    bigint NOT NULL DEFAULT 0, -- 0: a canary.
    times         integer NOT NULL DEFAULT 1,
    at            timestamptz NOT NULL, -- The newest failure.
    outcome       text NOT NULL,
    emptied       boolean NOT NULL DEFAULT false, -- Its list lacked what it had shown before.
    state         text NOT NULL DEFAULT '', -- This and the rest: the account's columns before the first failure.
    failures      integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    not_found     integer NOT NULL DEFAULT 0,
    PRIMARY KEY (site, account_id, handle)
);

-- What is wrong with a site: one row from when it began until it ended.
CREATE TABLE site_alarms (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site      text NOT NULL,
    kind      text NOT NULL CHECK (kind IN ('circuit', 'emptied', 'verdict', 'language', 'unreadable', 'canary')),
    subject   text NOT NULL DEFAULT '', -- A handle, a verdict, a language.
    message   text NOT NULL,
    times     integer NOT NULL DEFAULT 1,
    opened_at timestamptz NOT NULL,
    last_at   timestamptz NOT NULL,
    closed_at timestamptz -- Null: it goes on.
);
CREATE UNIQUE INDEX site_alarms_open ON site_alarms (site, kind, subject) WHERE closed_at IS NULL;
CREATE INDEX site_alarms_closed ON site_alarms (closed_at) WHERE closed_at IS NOT NULL;

-- A site's terms that the program does not translate: verdicts stored as OTH, and all
-- languages.
CREATE TABLE site_words (
    site     text NOT NULL,
    kind     text NOT NULL CHECK (kind IN ('verdict', 'language')),
    word     text NOT NULL,
    known    boolean NOT NULL DEFAULT false, -- Acknowledged: raises no alarm and is not counted.
    times    bigint NOT NULL DEFAULT 0,
    first_at timestamptz NOT NULL,
    last_at  timestamptz NOT NULL,
    handle   text NOT NULL DEFAULT '', -- Who had it first.
    PRIMARY KEY (site, kind, word)
);

-- Handles whose history is known, fetched daily and compared with it.
CREATE TABLE site_canaries (
    site         text NOT NULL,
    handle       text NOT NULL,
    least        integer NOT NULL DEFAULT 1, -- Submissions that it has at least.
    earliest_at  timestamptz, -- Its oldest submission; null: not known.
    known        jsonb NOT NULL DEFAULT '[]', -- [{id, at, status}]: what does not change.
    created_at   timestamptz NOT NULL,
    due_at       timestamptz NOT NULL,
    lease_id     text NOT NULL DEFAULT '',
    leased_until timestamptz,
    checked_at   timestamptz, -- When the last fetch ended.
    outcome      text NOT NULL DEFAULT '',
    message      text NOT NULL DEFAULT '', -- What differs from what is known.
    seen         integer NOT NULL DEFAULT 0, -- Submissions in the last complete fetch.
    PRIMARY KEY (site, handle)
);
CREATE INDEX site_canaries_due ON site_canaries (site, due_at);

-- A site's jobs that are about everybody, each its own row: the activity stream (what
-- all members submit), contests that have ended, bulk checks.
CREATE TABLE site_feeds (
    site         text NOT NULL,
    kind         text NOT NULL DEFAULT 'feed' CHECK (kind IN ('feed', 'contests', 'probe')),
    enabled      boolean, -- An admin's setting; null: on from 200 accounts of the site.
    since        timestamptz, -- Everything made from here on was read; null: the stream is not read.
    until        timestamptz, -- As far as here.
    cursor_at    timestamptz, -- Where the next page begins.
    cursor_id    text NOT NULL DEFAULT '', -- A row there that was read; '': none.
    late_at      timestamptz, -- Everything before was read a second time, for rows that a site adds late.
    holes        integer NOT NULL DEFAULT 0, -- How often coverage began anew.
    hole_from    timestamptz, -- The last gap in coverage.
    hole_until   timestamptz,
    passed_at    timestamptz, -- The last pass that went well.
    failures     integer NOT NULL DEFAULT 0, -- In a row.
    outcome      text NOT NULL DEFAULT '', -- Of the last pass.
    message      text NOT NULL DEFAULT '',
    due_at       timestamptz NOT NULL DEFAULT 'epoch',
    lease_id     text NOT NULL DEFAULT '',
    leased_until timestamptz,
    batch        integer NOT NULL DEFAULT 0, -- Accounts in one bulk check; 0: as many as the site's reader begins with.
    PRIMARY KEY (site, kind)
);

-- What retrieval did, by site, hour and outcome.
CREATE TABLE site_hours (
    site       text NOT NULL,
    hour       timestamptz NOT NULL, -- Its beginning.
    outcome    text NOT NULL,
    retrievals integer NOT NULL,
    requests   integer NOT NULL,
    new_rows   integer NOT NULL,
    first_at   timestamptz NOT NULL,
    last_at    timestamptz NOT NULL,
    message    text NOT NULL, -- Of the last one.
    PRIMARY KEY (site, hour, outcome)
);

-- Request slots: the next moment a host or a site may be asked, for all processes together.
CREATE TABLE request_slots (
    key          text PRIMARY KEY, -- A host or a site.
    next_at      timestamptz NOT NULL,
    holder       text NOT NULL DEFAULT '', -- Who is asking right now.
    held_until   timestamptz, -- A holder that died is passed over after this.
    urgent_until timestamptz -- Somebody who cannot wait is in line; others let them go first.
);

-- robots.txt of hosts, as last fetched.
CREATE TABLE robots (
    host       text PRIMARY KEY, -- With its scheme.
    body       text NOT NULL,
    verdict    text NOT NULL CHECK (verdict IN ('read', 'absent', 'unreachable')),
    fetched_at timestamptz NOT NULL
);
