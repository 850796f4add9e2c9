-- +goose Up

-- Awards: what they are, what items add up to, who was granted what, and badges.

-- An award, and the state it is in.
CREATE TABLE awards (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug         text NOT NULL UNIQUE,
    state        text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'active', 'paused', 'retired', 'hidden')),
    version      integer NOT NULL DEFAULT 0, -- The one in force; 0 before the first.
    latest       integer NOT NULL DEFAULT 0, -- The newest one written.
    secret       boolean NOT NULL DEFAULT false, -- Shown only to those who have it.
    stopped      boolean NOT NULL DEFAULT false, -- An older program could not read it while events went by: to be recounted.
    created_at   timestamptz NOT NULL,
    activated_at timestamptz -- First.
);

-- Versions of an award's document; never changed.
CREATE TABLE award_versions (
    award_id   bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    number     integer NOT NULL, -- From 1.
    document   jsonb NOT NULL,
    digest     text NOT NULL, -- Of the document.
    author     text NOT NULL,
    note       text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (award_id, number)
);

-- An objective as it is counted: other filters, another rule or window make another row.
CREATE TABLE objectives (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id   bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    name       text NOT NULL, -- In the award's document.
    digest     text NOT NULL, -- Of all that counting depends on.
    created_at timestamptz NOT NULL,
    retired_at timestamptz, -- No longer counted.
    cleared    boolean NOT NULL DEFAULT false -- Retired, and its counters are deleted.
);
CREATE UNIQUE INDEX objectives_live ON objectives (award_id, name) WHERE retired_at IS NULL;

-- One row. The generation grows with every change of what is counted, so that workers reload it.
CREATE TABLE award_scheme (generation bigint NOT NULL);
INSERT INTO award_scheme VALUES (1);

-- What items add up to, by cell, of rules that have cells.
CREATE TABLE objective_cells (
    objective_id bigint NOT NULL,
    member_id    bigint NOT NULL,
    period       text NOT NULL, -- '' for objectives without one.
    status       text NOT NULL, -- Of the items.
    cell         text NOT NULL, -- The rule's own: a day, a problem, ...
    amount       bigint NOT NULL CHECK (amount >= 0), -- In millionths.
    PRIMARY KEY (member_id, objective_id, period, status, cell)
) WITH (fillfactor = 80);

-- What items add up to, by status.
CREATE SEQUENCE award_clock;
CREATE TABLE objective_counters (
    objective_id bigint NOT NULL,
    member_id    bigint NOT NULL,
    period       text NOT NULL,
    status       text NOT NULL,
    amount       bigint NOT NULL CHECK (amount >= 0), -- In millionths.
    version      bigint NOT NULL DEFAULT nextval('award_clock'), -- Grows with every write, of all counters.
    PRIMARY KEY (member_id, objective_id, period, status)
) WITH (fillfactor = 60);

-- How each event changed the objectives of an award.
CREATE TABLE award_log (
    id        bigint GENERATED ALWAYS AS IDENTITY,
    at        timestamptz NOT NULL,
    member_id bigint NOT NULL,
    award_id  bigint NOT NULL, -- 0: it was not considered for any.
    source    text NOT NULL,
    key       text NOT NULL, -- The item's.
    event_id  text NOT NULL,
    reason    text NOT NULL, -- event, recount, moved, stale or late.
    changes   text NOT NULL -- JSON: [[objective, was, became], ...]; each is [period, status, cell, amount], or null for nothing.
);
CREATE INDEX award_log_member ON award_log (member_id, award_id, id);

-- A queue of members whose award must be evaluated anew. Only ever appended to and taken from.
CREATE TABLE award_dirty (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id  bigint NOT NULL,
    member_id bigint NOT NULL,
    period    text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Objectives that are counted anew from the ledger, and how far that has come.
CREATE TABLE award_recounts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id    bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    objectives  bigint[] NOT NULL, -- Of objectives.
    member_id   bigint NOT NULL DEFAULT 0, -- All items up to this member are counted.
    items       bigint NOT NULL DEFAULT 0, -- Read so far.
    failed      integer NOT NULL DEFAULT 0, -- Members whose items cannot be counted; they keep what they have.
    asked_at    timestamptz NOT NULL,
    finished_at timestamptz
);
CREATE INDEX award_recounts_open ON award_recounts (award_id) WHERE finished_at IS NULL;

-- How far each member is with each award.
CREATE TABLE user_awards (
    award_id   bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    member_id  bigint NOT NULL,
    period     text NOT NULL,
    progress   numeric NOT NULL, -- Exact.
    goal       numeric NOT NULL, -- What the progress is out of.
    level      integer NOT NULL, -- Reached now.
    started    boolean NOT NULL,
    version    bigint NOT NULL, -- The newest of the counters it was computed from.
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (member_id, award_id, period)
) WITH (fillfactor = 70);
CREATE INDEX user_awards_award ON user_awards (award_id, member_id);

-- Who was granted what. Rows are never deleted: a lost award has revoked_at.
CREATE TABLE award_grants (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id       bigint NOT NULL REFERENCES awards,
    member_id      bigint NOT NULL,
    period         text NOT NULL,
    level          integer NOT NULL, -- From 1.
    award_version  integer NOT NULL,
    granted_at     timestamptz NOT NULL, -- When the goal was reached.
    found_at       timestamptz NOT NULL, -- When Laurel found that out.
    given_by       text NOT NULL DEFAULT '', -- The admin, where it was given by hand.
    revoked_at     timestamptz,
    revoked_reason text NOT NULL DEFAULT '',
    locked         boolean NOT NULL DEFAULT false, -- Given or taken by hand: progress no longer changes it.
    UNIQUE (member_id, award_id, period, level)
);
CREATE INDEX award_grants_award ON award_grants (award_id, granted_at DESC, id DESC);

-- What happened to grants.
CREATE TABLE award_grant_log (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    grant_id bigint NOT NULL REFERENCES award_grants ON DELETE CASCADE,
    at       timestamptz NOT NULL,
    what     text NOT NULL, -- granted, revoked or granted again.
    reason   text NOT NULL,
    author   text NOT NULL DEFAULT '' -- The admin; '': the rules.
);
CREATE INDEX award_grant_log_grant ON award_grant_log (grant_id, id);
CREATE INDEX award_grant_log_revoked ON award_grant_log (grant_id, id) WHERE what = 'revoked';

-- The awards that members show first on their page.
CREATE TABLE award_pins (
    member_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    award_id  bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    place     smallint NOT NULL CHECK (place BETWEEN 1 AND 3),
    PRIMARY KEY (member_id, award_id),
    UNIQUE (member_id, place)
);

-- What each check of awards against the ledger found to differ.
CREATE TABLE award_checks (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_at  timestamptz NOT NULL,
    took        double precision NOT NULL, -- Seconds.
    slice       integer NOT NULL, -- Which seventh of the members.
    members     integer NOT NULL,
    items       bigint NOT NULL,
    differences jsonb NOT NULL -- [{"member", "what", "is", "should"}]; none is the proof.
);

-- The keys that badges are signed with. An old key stays: what it signed stays valid.
CREATE TABLE badge_keys (
    kid           text PRIMARY KEY, -- Hash of the public half.
    public        bytea NOT NULL,
    sealed        bytea NOT NULL, -- The private half, encrypted with the server's secret key.
    created_at    timestamptz NOT NULL,
    retired_at    timestamptz, -- Signs no more.
    distrusted_at timestamptz CHECK (distrusted_at IS NULL OR retired_at IS NOT NULL) -- Was stolen: what it signed is void.
);
CREATE UNIQUE INDEX badge_keys_signing ON badge_keys ((true)) WHERE retired_at IS NULL;

-- Status lists of revocations.
CREATE TABLE badge_lists (
    number  integer PRIMARY KEY, -- From 1.
    shuffle bytea NOT NULL, -- The key by which its places are shuffled.
    used    integer NOT NULL CHECK (used BETWEEN 0 AND 131072) -- Places given out.
);

-- A badge is a grant from when it was won until it is lost: one that is won again gets
-- another badge. Whether it was lost stands in award_grant_log.
CREATE TABLE badges (
    id            uuid PRIMARY KEY, -- In its address; never changes.
    list          integer NOT NULL REFERENCES badge_lists,
    place         integer NOT NULL CHECK (place BETWEEN 0 AND 131071), -- In the list; never reused.
    grant_id      bigint REFERENCES award_grants ON DELETE SET NULL, -- Null: its member is deleted.
    log_id        bigint NOT NULL, -- The row of award_grant_log by which it was won.
    award_version integer NOT NULL,
    granted_at    timestamptz NOT NULL,
    revoked_at    timestamptz, -- Written only where the log is deleted.
    UNIQUE (list, place)
);
CREATE INDEX badges_grant ON badges (grant_id, log_id);

-- One row: the last row of award_grant_log for which badges were made.
CREATE TABLE badge_position (log_id bigint NOT NULL);
INSERT INTO badge_position VALUES (0);
