-- How the member's pages were fetched, around an instant: the newest good fetch at or
-- before it, since when its content had been the same, the next one that showed something
-- else, and the failures since.
SELECT
    p.source,
    p.address,
    l.at AS fetched,
    b.at AS unchanged_since,
    (SELECT count(*) FROM archive_retrievals WHERE same_as = l.base AND at <= @at AND withdrawn_at IS NULL)
        + CAST(b.at IS NOT NULL AS integer) AS fetches,
    (
        SELECT at
        FROM archive_retrievals
        WHERE page_id = p.id AND at > @at AND outcome = 'ok' AND withdrawn_at IS NULL AND hash <> l.hash
        ORDER BY at
        LIMIT 1
    ) AS next_change,
    f.n AS failed,
    f.since AS failing_from,
    CASE WHEN f.n > 0 THEN (
        SELECT at
        FROM archive_retrievals
        WHERE page_id = p.id AND at > @at AND outcome = 'ok'
        ORDER BY at
        LIMIT 1
    ) END AS failing_until,
    (SELECT max(at) FROM archive_retrievals WHERE page_id = p.id AND at < @at) AS before,
    (SELECT min(at) FROM archive_retrievals WHERE page_id = p.id AND at > @at) AS after,
    (SELECT min(at) FROM archive_retrievals WHERE page_id = p.id) AS first,
    (SELECT max(at) FROM archive_retrievals WHERE page_id = p.id) AS last
FROM archive_pages p
LEFT JOIN LATERAL (
    SELECT at, hash, coalesce(same_as, id) AS base
    FROM archive_retrievals
    WHERE page_id = p.id AND at <= @at AND outcome = 'ok' AND withdrawn_at IS NULL
    ORDER BY at DESC
    LIMIT 1
) l ON true
LEFT JOIN archive_retrievals b ON b.id = l.base AND b.at <= @at AND b.withdrawn_at IS NULL
LEFT JOIN LATERAL (
    SELECT count(*) AS n, min(at) AS since
    FROM archive_retrievals
    WHERE page_id = p.id AND at > coalesce(l.at, '-infinity') AND at <= @at AND outcome <> 'ok'
) f ON true
WHERE p.viewer = @name
ORDER BY p.source, p.address
