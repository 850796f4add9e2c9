-- Stores what a check of the archive found, and returns its number and how long it took.
INSERT INTO archive_checks (started_at, took, shards, rows, retrievals, findings, total, newest, part)
VALUES (
    @at, extract(epoch FROM clock_timestamp() - CAST(@began AS timestamptz)), @shards, @rows, @retrievals,
    CAST(@findings AS jsonb), @total, @newest, @part
)
RETURNING id, took
