-- Rows of the ledger that are still as they were read, by their rev, as they are now.
UPDATE items i
SET member_id = g.member_id, seq = g.seq, at = g.at, first_at = nullif(g.first_at, g.at), status = g.status,
    event_id = g.event_id, zone = g.zone,
    arrived_at = g.arrived_at, body = g.body, contributions = g.contributions, rev = i.rev + 1
FROM (
    SELECT
        unnest(CAST(@sources AS text[])) AS source,
        unnest(CAST(@keys AS text[])) AS key,
        unnest(CAST(@members AS bigint[])) AS member_id,
        unnest(CAST(@seqs AS bigint[])) AS seq,
        unnest(CAST(@ats AS timestamptz[])) AS at,
        unnest(CAST(@firsts AS timestamptz[])) AS first_at,
        unnest(CAST(@statuses AS text[])) AS status,
        unnest(CAST(@events AS text[])) AS event_id,
        unnest(CAST(@zones AS text[])) AS zone,
        unnest(CAST(@arrived AS timestamptz[])) AS arrived_at,
        unnest(CAST(@bodies AS text[])) AS body,
        unnest(CAST(@counted AS text[])) AS contributions,
        unnest(CAST(@revs AS bigint[])) AS rev
) g
WHERE i.source = g.source AND i.key = g.key AND i.rev = g.rev
