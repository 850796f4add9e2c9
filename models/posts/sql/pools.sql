-- All pools of posts, with what is due (counted up to @most) and the requests of the last
-- hour: it costs these, not what there is.
WITH polls AS MATERIALIZED (
    SELECT
        network,
        host,
        count(*) AS requests,
        coalesce(sum(asked) FILTER (WHERE outcome = 'ok'), 0) AS asked,
        count(*) FILTER (WHERE outcome <> 'ok') AS failed
    FROM post_polls
    WHERE at > @since AND at <= @now
    GROUP BY network, host
)
SELECT
    o.network, o.host, o.batch, o.slowdown, o.every_days, o.demand, o.supply, CAST(o.tiers AS text) AS counts,
    o.measured_at, d.due, d.oldest_due, d.leased, d.expired,
    coalesce(l.requests, 0) AS requests,
    coalesce(l.asked, 0) AS asked,
    coalesce(l.failed, 0) AS failed
FROM post_pools o
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE leased_until IS NULL OR leased_until <= @now) AS due,
        min(next_update_at) FILTER (WHERE leased_until IS NULL OR leased_until <= @now) AS oldest_due,
        count(*) FILTER (WHERE leased_until > @now) AS leased,
        count(*) FILTER (WHERE leased_until <= @now) AS expired
    FROM (
        SELECT next_update_at, leased_until
        FROM posts p
        WHERE p.network = o.network AND p.host = o.host AND p.next_update_at <= @now
        ORDER BY p.next_update_at
        LIMIT @most
    ) p
) d
LEFT JOIN polls l ON l.network = o.network AND l.host = o.host
ORDER BY o.network COLLATE "C", o.host COLLATE "C"
