-- +goose Up

-- Members' own keys of sites' APIs: with one the site shows what only its member may see.
CREATE TABLE account_keys (
    account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    key        text NOT NULL, -- Its public part.
    secret     bytea NOT NULL, -- Sealed.
    added_at   timestamptz NOT NULL,
    refused_at timestamptz -- The site did not accept it then: it is not used any more.
);
COMMENT ON TABLE account_keys IS 'Keys of sites'' APIs, by which private groups and the gym of Codeforces are read.';
