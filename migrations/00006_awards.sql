-- +goose Up

-- The bus. An event is read once per source and part in the order (txid, id):
-- a number may be given out long before its row can be seen, so only what is
-- older than every open transaction is read. Days are partitions of their own,
-- made ahead by a job and dropped as a whole; what finds none goes into the last.
CREATE SEQUENCE events_id;
CREATE TABLE events (
    txid      bigint NOT NULL DEFAULT CAST(CAST(pg_current_xact_id() AS text) AS bigint),
    id        bigint NOT NULL DEFAULT nextval('events_id'),
    source    text NOT NULL,
    part      smallint NOT NULL, -- Of the member: all of theirs are handled one after the other.
    member_id bigint NOT NULL,
    event_id  text NOT NULL, -- Once per source.
    zone      text NOT NULL, -- The member's when it came.
    stored_at timestamptz NOT NULL,
    body      text NOT NULL -- The event as JSON.
) PARTITION BY RANGE (stored_at);
ALTER SEQUENCE events_id OWNED BY events.id;
CREATE INDEX events_order ON events (source, part, txid, id);
CREATE INDEX events_ids ON events (source, event_id);
CREATE TABLE events_other PARTITION OF events DEFAULT;

CREATE TABLE event_sources (
    source    text PRIMARY KEY,
    paused_at timestamptz, -- Its events wait until it goes on.
    first_at  timestamptz NOT NULL
);

-- How far each part of a source is handled; moved in the transaction of the effect.
CREATE TABLE event_positions (
    source     text NOT NULL REFERENCES event_sources ON DELETE CASCADE,
    part       smallint NOT NULL, -- 0 to 15.
    txid       bigint NOT NULL DEFAULT 0,
    id         bigint NOT NULL DEFAULT 0,
    handled    bigint NOT NULL DEFAULT 0, -- Events so far.
    handled_at timestamptz,
    PRIMARY KEY (source, part)
) WITH (fillfactor = 50);

INSERT INTO event_sources (source, first_at) SELECT source, 'epoch' FROM unnest(ARRAY['days', 'ratings', 'submissions']) source; -- Laurel's own.
INSERT INTO event_positions (source, part) SELECT source, part FROM event_sources, generate_series(0, 15) part;

-- Events that could not be handled, with the reason, for an admin to replay.
CREATE TABLE event_dead (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source    text NOT NULL,
    event_id  text NOT NULL,
    member_id bigint NOT NULL,
    zone      text NOT NULL,
    stored_at timestamptz NOT NULL,
    body      text NOT NULL,
    reason    text NOT NULL,
    dead_at   timestamptz NOT NULL
);

-- The ledger: the newest event of each item, and what it contributes now.
CREATE TABLE items (
    source        text NOT NULL,
    key           text NOT NULL, -- item:... or, where nothing can change later, event:...
    member_id     bigint NOT NULL,
    seq           bigint NOT NULL,
    at            timestamptz NOT NULL,
    status        text NOT NULL,
    event_id      text NOT NULL,
    zone          text NOT NULL,
    arrived_at    timestamptz NOT NULL,
    body          text NOT NULL,
    contributions json NOT NULL, -- [[objective, period, status, cell, amount], ...]
    rev           integer NOT NULL DEFAULT 1, -- Grows with every write: nobody writes over what they have not read.
    PRIMARY KEY (source, key)
) WITH (fillfactor = 80);
CREATE INDEX items_member ON items (member_id);

-- Awards: a document per version, never changed, and the state it is in.
CREATE TABLE awards (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug         text NOT NULL UNIQUE,
    state        text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'active', 'paused', 'retired', 'hidden')),
    version      integer NOT NULL DEFAULT 0, -- The one that runs; 0 before the first.
    latest       integer NOT NULL DEFAULT 0, -- The newest one written.
    secret       boolean NOT NULL DEFAULT false, -- Shown only to those who have it.
    created_at   timestamptz NOT NULL,
    activated_at timestamptz -- First.
);
CREATE TABLE award_versions (
    award_id   bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    number     integer NOT NULL,
    document   jsonb NOT NULL,
    digest     text NOT NULL,
    author     text NOT NULL,
    note       text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (award_id, number)
);

-- An objective as it is counted: other filters, another rule or window make another row.
CREATE TABLE objectives (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id   bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    name       text NOT NULL,
    digest     text NOT NULL,
    created_at timestamptz NOT NULL,
    retired_at timestamptz,
    cleared    boolean NOT NULL DEFAULT false -- Retired, and its counters are gone.
);
CREATE UNIQUE INDEX objectives_live ON objectives (award_id, name) WHERE retired_at IS NULL;

-- Grows with every change of what is counted, so that workers know to read it anew.
CREATE TABLE award_scheme (generation bigint NOT NULL);
INSERT INTO award_scheme VALUES (1);

-- What items add up to, in millionths: per cell where a rule has cells, and per status.
CREATE TABLE objective_cells (
    objective_id bigint NOT NULL,
    member_id    bigint NOT NULL,
    period       text NOT NULL,
    status       text NOT NULL,
    cell         text NOT NULL,
    amount       bigint NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (member_id, objective_id, period, status, cell)
) WITH (fillfactor = 80);
CREATE SEQUENCE award_clock;
CREATE TABLE objective_counters (
    objective_id bigint NOT NULL,
    member_id    bigint NOT NULL,
    period       text NOT NULL,
    status       text NOT NULL,
    amount       bigint NOT NULL CHECK (amount >= 0),
    version      bigint NOT NULL DEFAULT nextval('award_clock'),
    PRIMARY KEY (member_id, objective_id, period, status)
) WITH (fillfactor = 60);

-- How each change of an item changed an objective.
CREATE TABLE award_log (
    id           bigint GENERATED ALWAYS AS IDENTITY,
    at           timestamptz NOT NULL,
    member_id    bigint NOT NULL,
    objective_id bigint NOT NULL,
    source       text NOT NULL,
    key          text NOT NULL,
    event_id     text NOT NULL,
    reason       text NOT NULL, -- event, recount, moved, stale or late.
    was          text, -- [period, status, cell, amount]; null is nothing.
    became       text
);
CREATE INDEX award_log_member ON award_log (member_id, objective_id, id);

-- Whose award must be reckoned anew. Only ever appended to and taken from.
CREATE TABLE award_dirty (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id  bigint NOT NULL,
    member_id bigint NOT NULL,
    period    text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Objectives that are counted from the ledger: how far it was gone through.
CREATE TABLE award_recounts (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id     bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    objectives   bigint[] NOT NULL,
    member_id    bigint NOT NULL DEFAULT 0, -- The last of whom all items were.
    items        bigint NOT NULL DEFAULT 0, -- Gone through so far.
    failed       integer NOT NULL DEFAULT 0, -- Members whose items cannot be counted; they keep what they have.
    asked_at     timestamptz NOT NULL,
    finished_at  timestamptz
);
CREATE INDEX award_recounts_open ON award_recounts (award_id) WHERE finished_at IS NULL;

-- How far each member is with each award.
CREATE TABLE user_awards (
    award_id   bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    member_id  bigint NOT NULL,
    period     text NOT NULL,
    progress   numeric NOT NULL, -- Exact.
    goal       numeric NOT NULL,
    level      integer NOT NULL, -- Reached now.
    started    boolean NOT NULL,
    version    bigint NOT NULL, -- The newest of the counters it was reckoned from.
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (member_id, award_id, period)
) WITH (fillfactor = 70);
CREATE INDEX user_awards_award ON user_awards (award_id, member_id);

-- Who was given what. A row is never deleted: one that is lost says so.
CREATE TABLE award_grants (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    award_id       bigint NOT NULL REFERENCES awards,
    member_id      bigint NOT NULL,
    period         text NOT NULL,
    level          integer NOT NULL, -- From 1.
    award_version  integer NOT NULL,
    granted_at     timestamptz NOT NULL, -- When the goal was reached.
    found_at       timestamptz NOT NULL, -- When that was found out.
    given_by       text NOT NULL DEFAULT '', -- The admin, where it was given by hand.
    revoked_at     timestamptz,
    revoked_reason text NOT NULL DEFAULT '',
    locked         boolean NOT NULL DEFAULT false, -- Given or taken by hand: progress changes it no more.
    UNIQUE (member_id, award_id, period, level)
);
CREATE INDEX award_grants_award ON award_grants (award_id, granted_at DESC, id DESC);
CREATE TABLE award_grant_log (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    grant_id bigint NOT NULL REFERENCES award_grants ON DELETE CASCADE,
    at       timestamptz NOT NULL,
    what     text NOT NULL, -- granted, revoked or granted again.
    reason   text NOT NULL,
    author   text NOT NULL DEFAULT ''
);
CREATE INDEX award_grant_log_grant ON award_grant_log (grant_id, id);

-- Who is banned earns nothing and is not shown; counters go on.
ALTER TABLE members ADD COLUMN banned_at timestamptz;

-- A member's first accepted submission of a problem.
CREATE INDEX submissions_solved ON submissions (member_id, problem_id, submitted_at, id) WHERE status = 'AC';
