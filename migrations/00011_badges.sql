-- +goose Up

-- The keys that badges are signed with. What signs is sealed with the secret key
-- of the server. An old key stays: what it signed stays valid.
CREATE TABLE badge_keys (
    kid           text PRIMARY KEY, -- The hash of the public half.
    public        bytea NOT NULL,
    sealed        bytea NOT NULL,
    created_at    timestamptz NOT NULL,
    retired_at    timestamptz, -- Signs no more.
    distrusted_at timestamptz CHECK (distrusted_at IS NULL OR retired_at IS NOT NULL) -- Was stolen: what it signed is void.
);
CREATE UNIQUE INDEX badge_keys_signing ON badge_keys ((true)) WHERE retired_at IS NULL;

-- The lists of revocations: each shuffles its places by a key of its own.
CREATE TABLE badge_lists (
    number  integer PRIMARY KEY, -- From 1.
    shuffle bytea NOT NULL,
    used    integer NOT NULL CHECK (used BETWEEN 0 AND 131072)
);

-- A badge is a grant from when it was won until it is lost: one that is won
-- again gets another badge. Whether it was lost the log of grants tells.
CREATE TABLE badges (
    id            uuid PRIMARY KEY, -- In its address; never changes.
    list          integer NOT NULL REFERENCES badge_lists,
    place         integer NOT NULL CHECK (place BETWEEN 0 AND 131071),
    grant_id      bigint REFERENCES award_grants ON DELETE SET NULL, -- Null: its member is deleted. The place is nobody else's all the same.
    log_id        bigint NOT NULL, -- The line of the log by which it was won.
    award_version integer NOT NULL,
    granted_at    timestamptz NOT NULL,
    revoked_at    timestamptz, -- Written only where the log is deleted.
    UNIQUE (list, place)
);
CREATE INDEX badges_grant ON badges (grant_id, log_id);
CREATE INDEX award_grant_log_revoked ON award_grant_log (grant_id, id) WHERE what = 'revoked';

-- The last line of the log of grants that was looked at.
CREATE TABLE badge_position (log_id bigint NOT NULL);
INSERT INTO badge_position VALUES (0);
