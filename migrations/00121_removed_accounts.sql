-- +goose Up

-- Accounts that their member removed or replaced, for 30 days, with all their rows: nobody
-- sees or counts them, and they can come back.
CREATE TABLE removed_accounts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id   bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    site        text NOT NULL,
    handle      text NOT NULL,
    submissions integer NOT NULL,
    removed_at  timestamptz NOT NULL,
    kept        jsonb NOT NULL -- {"account", "schedule", "coverage": a row each; "submissions", "ratings": [rows]}
);
CREATE INDEX removed_accounts_member ON removed_accounts (member_id);
CREATE INDEX removed_accounts_removed ON removed_accounts (removed_at);
COMMENT ON TABLE removed_accounts IS 'Accounts that can be restored. Removed for good after 30 days, or with their member.';
