-- Sources of events, all or @only one, and how far they are handled. Waiting events are
-- counted up to @most.
SELECT s.source, s.first_at, s.paused_at, p.handled, p.handled_at, coalesce(d.dead, 0) AS dead, w.waiting
FROM event_sources s
CROSS JOIN LATERAL (
    SELECT CAST(coalesce(sum(handled), 0) AS bigint) AS handled, max(handled_at) AS handled_at
    FROM event_positions
    WHERE source = s.source
) p
LEFT JOIN (SELECT source, count(*) AS dead FROM event_dead GROUP BY source) d ON d.source = s.source
CROSS JOIN LATERAL (
    SELECT count(*) AS waiting
    FROM (
        SELECT
        FROM event_positions p
        JOIN events e ON e.source = p.source AND e.part = p.part AND (e.txid, e.id) > (p.txid, p.id)
        WHERE p.source = s.source
        LIMIT @most
    ) few
) w
WHERE @only = '' OR s.source = @only
ORDER BY s.source
