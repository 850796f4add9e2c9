-- Credentials, all or the one of @id, with what they were used for in this UTC month and
-- on this UTC day. Their tokens are not read.
SELECT
    c.id, c.network, c.host, c.name, c.token IS NOT NULL AS has_token, c.legacy, c.fields, c.state, c.reason,
    c.cooldown_until, c.quota, c.window_seconds, c.remaining, c.reset_at, c.failures, c.monthly_posts, c.used_at,
    c.created_at, d.month_requests, d.month_posts, d.month_charged, d.today_requests, d.today_posts, d.today_charged
FROM credentials c
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(requests), 0) AS month_requests,
        coalesce(sum(posts), 0) AS month_posts,
        coalesce(sum(charged), 0) AS month_charged,
        coalesce(sum(requests) FILTER (WHERE day = CAST(@today AS date)), 0) AS today_requests,
        coalesce(sum(posts) FILTER (WHERE day = CAST(@today AS date)), 0) AS today_posts,
        coalesce(sum(charged) FILTER (WHERE day = CAST(@today AS date)), 0) AS today_charged
    FROM credential_days d
    WHERE d.credential_id = c.id AND d.day >= CAST(@month AS date) AND d.day <= CAST(@today AS date)
) d
WHERE @id = 0 OR c.id = @id
ORDER BY c.network COLLATE "C", c.host COLLATE "C", c.name COLLATE "C"
