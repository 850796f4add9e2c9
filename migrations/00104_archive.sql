-- +goose Up

-- The archive: everything that was ever seen, and when. See docs/archive.md.

-- A page is an address as one viewer sees it. Pages are never deleted.
CREATE TABLE archive_pages (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source  text NOT NULL, -- A site, a network, ...
    address text NOT NULL,
    viewer  text NOT NULL, -- '' is a guest.
    hash    bytea, -- Of its last content.
    base    bigint, -- The response that showed that content first, while all its rows are as it left them; null: compare every row.
    scopes  bigint[] NOT NULL DEFAULT '{}', -- Numbers of the scopes that it shows completely.
    UNIQUE (source, address, viewer)
);
CREATE INDEX archive_pages_base ON archive_pages (base) WHERE base IS NOT NULL;
CREATE INDEX archive_pages_scopes ON archive_pages USING gin (scopes);
CREATE INDEX archive_pages_viewer ON archive_pages (viewer);

-- The retrieval log: one row a response. A response that shows what its page showed
-- before is this row and nothing else.
CREATE TABLE archive_retrievals (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    page_id   bigint NOT NULL, -- Of archive_pages.
    at        timestamptz NOT NULL, -- When the page looked like this.
    stored_at timestamptz NOT NULL,
    outcome   text NOT NULL,
    hash      bytea, -- Of the parsed content; null for failures.
    same_as   bigint, -- The response whose rows it saw again.
    facts     integer NOT NULL DEFAULT 0, -- Number of facts.
    locks     bigint[], -- The groups of rows that it could touch.
    message   text, -- Why it failed or was refused.
    content   jsonb -- Of a refused one.
);
CREATE INDEX archive_retrievals_page ON archive_retrievals (page_id, at);
CREATE INDEX archive_retrievals_at ON archive_retrievals (at);
CREATE INDEX archive_retrievals_same ON archive_retrievals (same_as, at) WHERE same_as IS NOT NULL;

-- Responses that were complete for a scope: rows of the scope that they lack have ended.
CREATE TABLE archive_endings (
    retrieval_id bigint NOT NULL,
    shard        text NOT NULL,
    scope        bigint NOT NULL, -- Its number.
    at           timestamptz NOT NULL,
    reason       text NOT NULL,
    PRIMARY KEY (shard, scope, at, retrieval_id)
);

-- Older parts of long _seen lists of shard rows.
CREATE SEQUENCE archive_aside;
CREATE TABLE archive_seen (
    aside bigint NOT NULL, -- The row's _aside.
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
    id       text PRIMARY KEY, -- Hash of the content.
    size     bigint NOT NULL, -- As the page states it.
    complete boolean NOT NULL,
    items    jsonb NOT NULL
);

-- Shards that admins declared. The built-in ones are declared in Go.
CREATE TABLE archive_shards (
    name        text PRIMARY KEY,
    declaration jsonb NOT NULL,
    created_at  timestamptz NOT NULL
);

-- What each check of the archive found.
CREATE TABLE archive_checks (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_at timestamptz NOT NULL,
    took       double precision NOT NULL, -- Seconds.
    shards     integer NOT NULL,
    rows       bigint NOT NULL,
    retrievals bigint NOT NULL,
    findings   jsonb NOT NULL -- [{"shard", "kind", "message"}]; none is the proof.
);
