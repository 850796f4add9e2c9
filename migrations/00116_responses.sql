-- +goose Up

-- Raw answers: what sites, forums and networks sent, so that a reader that is mended today
-- can read again what it misread before.

-- What was asked of an account's site when, as the reader was told it: enough to read the
-- answers again as they were read then.
CREATE TABLE fetches (
    id          text PRIMARY KEY, -- The lease under which it was fetched.
    account_id  bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    handle      text NOT NULL,
    site_key    text NOT NULL,
    covered_at  timestamptz, -- Only newer rows were asked for; null: all.
    covered_id  text NOT NULL,
    cursor      text NOT NULL, -- Where an interrupted first fetch went on.
    started_at  timestamptz NOT NULL
);
CREATE INDEX fetches_account ON fetches (account_id);
CREATE INDEX fetches_started ON fetches (started_at);
COMMENT ON TABLE fetches IS 'A fetch of one account, with what its reader knew when it began.';

-- Bodies lie here once, however often they came. Who stores one locks its row, and who
-- removes some locks theirs before it looks whether they are in use.
CREATE TABLE response_bodies (
    hash bytea PRIMARY KEY, -- SHA-256 of the body.
    body bytea NOT NULL, -- Compressed with zstd.
    size integer NOT NULL -- Bytes before that.
);
ALTER TABLE response_bodies ALTER COLUMN body SET STORAGE EXTERNAL;
COMMENT ON TABLE response_bodies IS 'Bodies of raw answers by their content.';

CREATE TABLE responses (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source       text NOT NULL, -- codeforces, forum:SLUG, mastodon: as request slots call it.
    fetch_id     text REFERENCES fetches ON DELETE CASCADE, -- Null: about no single account.
    forum_id     bigint REFERENCES forums ON DELETE CASCADE,
    address      text NOT NULL,
    question     text NOT NULL DEFAULT '', -- The body of the request; '': a GET.
    status       smallint NOT NULL,
    header       jsonb NOT NULL DEFAULT '{}', -- What readers use of it: {name: [values]}.
    retrieved_at timestamptz NOT NULL, -- When what was read of it was stored.
    readable     boolean NOT NULL, -- The reader of that day, or a later one, understood it.
    lasting      boolean NOT NULL, -- Never pruned: raw mails.
    body_hash    bytea NOT NULL REFERENCES response_bodies
);
CREATE INDEX responses_fetch ON responses (fetch_id, id);
CREATE INDEX responses_forum ON responses (forum_id, id) WHERE forum_id IS NOT NULL;
CREATE INDEX responses_body ON responses (body_hash);
CREATE INDEX responses_retrieved ON responses (retrieved_at) WHERE readable AND NOT lasting;
CREATE INDEX responses_unreadable ON responses (source, id) WHERE NOT readable;
COMMENT ON TABLE responses IS 'Raw answers of sites, forums and networks, in the order in which they came.';
