-- Pools of a network of which posts are due that fill a request, or have waited since before
-- @waited. It costs one step into an index for each pool, however many posts there are.
SELECT p.network, p.host, p.batch, p.slowdown, p.every_days
FROM post_pools p
CROSS JOIN LATERAL (SELECT coalesce(nullif(p.batch, 0), @batch) AS full_batch) b
CROSS JOIN LATERAL (
    SELECT count(*) AS n, min(next_update_at) AS oldest
    FROM (
        SELECT next_update_at
        FROM posts d
        WHERE d.network = p.network
            AND d.host = p.host
            AND d.next_update_at <= @now
            AND (d.leased_until IS NULL OR d.leased_until <= @now)
        ORDER BY next_update_at
        LIMIT full_batch
    ) d
) due
WHERE p.network = @network AND (n >= full_batch OR oldest <= @waited)
ORDER BY p.host
