-- +goose Up

-- Tokens of who sends events: each may push events of one source, and nothing else.
CREATE TABLE source_tokens (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source     text NOT NULL,
    label      text NOT NULL,
    hash       bytea NOT NULL UNIQUE,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE source_tokens IS 'Tokens of who sends events: each may push events of one source, and nothing else.';
COMMENT ON COLUMN source_tokens.label IS 'The admin''s words for who has it.';
COMMENT ON COLUMN source_tokens.hash IS 'SHA-256 of the token, which is shown once.';
COMMENT ON COLUMN source_tokens.created_by IS 'The name of the admin who made it, as it was.';
