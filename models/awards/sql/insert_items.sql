-- New rows of the ledger. Where somebody else made one meanwhile, it fails.
INSERT INTO items (source, key, member_id, seq, at, first_at, status, event_id, zone, arrived_at, body, contributions)
SELECT
    unnest(CAST(@sources AS text[])),
    unnest(CAST(@keys AS text[])),
    unnest(CAST(@members AS bigint[])),
    unnest(CAST(@seqs AS bigint[])),
    unnest(CAST(@ats AS timestamptz[])),
    nullif(unnest(CAST(@firsts AS timestamptz[])), unnest(CAST(@ats AS timestamptz[]))),
    unnest(CAST(@statuses AS text[])),
    unnest(CAST(@events AS text[])),
    unnest(CAST(@zones AS text[])),
    unnest(CAST(@arrived AS timestamptz[])),
    unnest(CAST(@bodies AS text[])),
    unnest(CAST(@counted AS text[]))
