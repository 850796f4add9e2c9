-- The likes of posts at the newest changes of their numbers, the oldest first.
SELECT g.n, s.at, s.likes
FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@ids AS text[]))
    WITH ORDINALITY AS g(network, host, post, n)
CROSS JOIN LATERAL (
    SELECT m._from AS at, m.likes
    FROM shard_post_metrics m
    WHERE m.network = g.network AND m.host = g.host AND m.post = g.post
    UNION ALL
    (
        SELECT m._from, m.likes
        FROM shard__past_post_metrics m
        WHERE m.network = g.network AND m.host = g.host AND m.post = g.post
        ORDER BY m._from DESC
        LIMIT @limit
    )
) s
ORDER BY g.n, s.at
