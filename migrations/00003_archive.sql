-- +goose Up

-- The archive: all that was ever seen. A page is an address as one viewer sees it.
CREATE TABLE archive_pages (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source  text NOT NULL,
    address text NOT NULL,
    viewer  text NOT NULL, -- '' is a guest.
    hash    bytea, -- Of what it showed last.
    base    bigint, -- The response that showed it first, while all its rows are as it left them; null is "look at every row".
    scopes  bigint[] NOT NULL DEFAULT '{}', -- Numbers of the scopes that it shows completely.
    UNIQUE (source, address, viewer)
);
CREATE INDEX archive_pages_base ON archive_pages (base) WHERE base IS NOT NULL;
CREATE INDEX archive_pages_scopes ON archive_pages USING gin (scopes);

-- The retrieval log. A response that shows what its page showed before is this
-- row and nothing else: same_as is the response whose rows it saw again.
CREATE TABLE archive_retrievals (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    page_id   bigint NOT NULL, -- Of archive_pages, which are never deleted.
    at        timestamptz NOT NULL,
    stored_at timestamptz NOT NULL,
    outcome   text NOT NULL,
    hash      bytea, -- Of the parsed content; null for failures.
    same_as   bigint,
    facts     integer NOT NULL DEFAULT 0,
    locks     bigint[], -- The groups of rows that it could touch.
    message   text, -- Why it failed or was refused.
    content   jsonb -- Of a refused one.
);
CREATE INDEX archive_retrievals_page ON archive_retrievals (page_id, at);
CREATE INDEX archive_retrievals_at ON archive_retrievals (at);
CREATE INDEX archive_retrievals_same ON archive_retrievals (same_as, at) WHERE same_as IS NOT NULL;

-- A response that was complete for a scope.
CREATE TABLE archive_endings (
    retrieval_id bigint NOT NULL,
    shard        text NOT NULL,
    scope        bigint NOT NULL, -- Its number.
    at           timestamptz NOT NULL,
    reason       text NOT NULL,
    PRIMARY KEY (shard, scope, at, retrieval_id)
);

-- Older parts of the long lists of responses that listed a row, by its _aside.
CREATE SEQUENCE archive_aside;
CREATE TABLE archive_seen (
    aside bigint NOT NULL,
    seen  bigint[] NOT NULL
);
CREATE INDEX archive_seen_aside ON archive_seen (aside);

-- Facts that gave way to another response of the same instant.
CREATE TABLE archive_yielded (
    shard        text NOT NULL,
    at           timestamptz NOT NULL,
    retrieval_id bigint NOT NULL,
    fact         jsonb NOT NULL -- Values in the order of the shard's fields.
);
CREATE INDEX archive_yielded_at ON archive_yielded (shard, at);

-- Lists as one response showed them: never changed, named by their content.
CREATE TABLE archive_lists (
    id       text PRIMARY KEY,
    size     bigint NOT NULL, -- As the page says it.
    complete boolean NOT NULL,
    items    jsonb NOT NULL
);

-- Shards that admins declared. The built-in ones are declared in Go.
CREATE TABLE archive_shards (
    name        text PRIMARY KEY,
    declaration jsonb NOT NULL,
    created_at  timestamptz NOT NULL
);

-- The built-in shards. Their declarations are in models/archive/shard_*.go, and a test
-- holds these tables against them.

-- Solved and submitted, as the site shows them.
CREATE TABLE shard_account_counts (
    "site" text NOT NULL,
    "handle" text NOT NULL,
    "solved" bigint,
    "submitted" bigint,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_counts_key_open ON shard_account_counts ("site", "handle") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_counts_key_past ON shard_account_counts ("site", "handle", _from) WHERE _until IS NOT NULL;

-- Name on a profile.
CREATE TABLE shard_account_name (
    "site" text NOT NULL,
    "handle" text NOT NULL,
    "name" text,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_name_key_open ON shard_account_name ("site", "handle") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_name_key_past ON shard_account_name ("site", "handle", _from) WHERE _until IS NOT NULL;

-- Country and organisation on a profile.
CREATE TABLE shard_account_place (
    "site" text NOT NULL,
    "handle" text NOT NULL,
    "country" text,
    "organisation" text,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_place_key_open ON shard_account_place ("site", "handle") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_place_key_past ON shard_account_place ("site", "handle", _from) WHERE _until IS NOT NULL;

-- Rank in a site's rating list.
CREATE TABLE shard_account_rank (
    "site" text NOT NULL,
    "handle" text NOT NULL,
    "rank" bigint,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_rank_key_open ON shard_account_rank ("site", "handle") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_rank_key_past ON shard_account_rank ("site", "handle", _from) WHERE _until IS NOT NULL;

-- Rating of an account.
CREATE TABLE shard_account_rating (
    "site" text NOT NULL,
    "handle" text NOT NULL,
    "rating" bigint,
    "best" bigint,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_rating_key_open ON shard_account_rating ("site", "handle") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_rating_key_past ON shard_account_rating ("site", "handle", _from) WHERE _until IS NOT NULL;

-- Title that a site gives.
CREATE TABLE shard_account_title (
    "site" text NOT NULL,
    "handle" text NOT NULL,
    "title" text,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_title_key_open ON shard_account_title ("site", "handle") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_title_key_past ON shard_account_title ("site", "handle", _from) WHERE _until IS NOT NULL;

-- Places of a ladder.
CREATE TABLE shard_ladder (
    "ladder" text NOT NULL,
    "player" text NOT NULL,
    "rank" bigint,
    "score" double precision,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_ladder_key_open ON shard_ladder ("ladder", "player") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_ladder_key_past ON shard_ladder ("ladder", "player", _from) WHERE _until IS NOT NULL;
CREATE UNIQUE INDEX shard_ladder_u1_open ON shard_ladder ("ladder", "rank") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_ladder_u1_past ON shard_ladder ("ladder", "rank", _from) WHERE _until IS NOT NULL;

-- Lists of a ladder.
CREATE TABLE shard_ladder_list (
    "ladder" text NOT NULL,
    "list" text,
    "size" bigint,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_ladder_list_key_open ON shard_ladder_list ("ladder") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_ladder_list_key_past ON shard_ladder_list ("ladder", _from) WHERE _until IS NOT NULL;

-- Totals of a member.
CREATE TABLE shard_member_totals (
    "member" text NOT NULL,
    "submissions" bigint,
    "accepted" bigint,
    "solved" bigint,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_member_totals_key_open ON shard_member_totals ("member") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_member_totals_key_past ON shard_member_totals ("member", _from) WHERE _until IS NOT NULL;
