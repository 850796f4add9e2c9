-- +goose Up

-- A changed handle is looked up before the old one goes.
CREATE TABLE wanted_handles (
    account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE, -- The account that it is to replace.
    handle     text NOT NULL,
    asked_at   timestamptz NOT NULL,
    refused_at timestamptz -- The site said then that it does not know the handle: the old one stays.
);
COMMENT ON TABLE wanted_handles IS 'New handles of accounts with submissions, until their sites know them.';
