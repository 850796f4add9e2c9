-- Appends events in the order in which they are given, but for those that came before:
-- they are in the log, or in the ledger after the log's day was dropped.
WITH given AS (
    SELECT DISTINCT ON (source, event_id) source, event_id, member_id, zone, body, place
    FROM unnest(
        CAST(@sources AS text[]), CAST(@ids AS text[]), CAST(@members AS bigint[]), CAST(@zones AS text[]),
        CAST(@bodies AS text[])
    ) WITH ORDINALITY AS g(source, event_id, member_id, zone, body, place)
    ORDER BY source, event_id, place
),
appended AS (
    INSERT INTO events (source, part, member_id, event_id, zone, stored_at, body)
    SELECT source, event_part(member_id), member_id, event_id, zone, @now, body
    FROM given g
    WHERE NOT EXISTS (SELECT FROM events e WHERE e.source = g.source AND e.event_id = g.event_id)
        AND NOT EXISTS (SELECT FROM items i WHERE i.source = g.source AND i.key = 'event:' || g.event_id)
    ORDER BY place
    RETURNING 1
)
SELECT count(*) FROM appended
