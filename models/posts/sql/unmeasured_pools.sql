-- Pools whose pace is old, with how many requests an hour there are for them, and how many
-- posts may still be paid for this month; null is without end.
SELECT
    p.network,
    p.host,
    p.batch,
    coalesce(sum(c.quota * 3600.0 / c.window_seconds), 0) AS supply,
    CASE
        WHEN bool_and(c.monthly_posts IS NOT NULL)
        THEN sum(greatest(c.monthly_posts - (
            SELECT coalesce(sum(charged), 0)
            FROM credential_days d
            WHERE d.credential_id = c.id AND d.day >= CAST(@month AS date)
        ), 0))
    END AS left
FROM post_pools p
LEFT JOIN credentials c ON c.network = p.network AND c.host = p.host AND c.state = 'active'
WHERE p.measured_at IS NULL OR p.measured_at <= @before OR p.measured_at > @now
GROUP BY p.network, p.host
