-- Counts how many messages came in each of @slots equal parts of the time of threads.
SELECT
    m.thread_id,
    least(@slots - 1, greatest(0, CAST(floor(
        @slots * extract(epoch FROM m.placed_at - t.first_at) / extract(epoch FROM t.last_at - t.first_at)
    ) AS integer))) AS slot,
    count(*) AS n
FROM messages m
JOIN forum_threads t ON t.id = m.thread_id
WHERE m.thread_id = ANY(CAST(@ids AS bigint[])) AND m.placed_at >= t.first_at
GROUP BY 1, 2
