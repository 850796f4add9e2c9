-- +goose Up

-- Each row of a shard says which transaction wrote it (_tx; 0 is one from before), so that a feed
-- gives every change once, in the order of commits, whatever instants it is about.
-- +goose StatementBegin
DO $$
DECLARE
    t text;
BEGIN
    FOR t IN
        SELECT relname FROM pg_class
        WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace) AND relname LIKE 'shard\_%'
    LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN _tx xid8 NOT NULL DEFAULT ''0''', t); -- A constant: no row is written.
        EXECUTE format('ALTER TABLE %I ALTER COLUMN _tx SET DEFAULT pg_current_xact_id()', t);
        EXECUTE format('CREATE INDEX %I ON %I (_tx)', overlay(t PLACING 'shard__tx_' FROM 1 FOR 6), t);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- Rows that a late observation showed to have been otherwise, for the same feed: what is there
-- instead, if anything, is written by the same transaction.
CREATE TABLE archive_dropped (
    shard     text NOT NULL,
    tx        xid8 NOT NULL DEFAULT pg_current_xact_id(), -- The transaction that dropped the row.
    row_from  timestamptz NOT NULL, -- The row's _from.
    row_key   jsonb NOT NULL -- The values of its key, in the order of the fields.
);
CREATE INDEX archive_dropped_tx ON archive_dropped (shard, tx);
