-- Stored threads that belong to messages, by what names each: a message that has or answers
-- one of @keys, and any message of a thread that archives call by one of @threads.
WITH given AS MATERIALIZED (
    SELECT key
    FROM unnest(CAST(@keys AS text[])) AS g(key)
),
found AS (
    SELECT g.key, m.thread_id
    FROM given g
    JOIN messages m ON m.forum_id = @forum AND m.message_id = g.key AND m.message_id <> ''
    UNION
    SELECT g.key, m.thread_id
    FROM given g
    JOIN messages m ON m.forum_id = @forum AND m.url = g.key
    UNION
    SELECT g.key, m.thread_id
    FROM given g
    JOIN messages m ON m.forum_id = @forum AND m.in_reply_to = g.key AND m.in_reply_to <> ''
    UNION
    SELECT g.key, m.thread_id
    FROM (SELECT DISTINCT key FROM unnest(CAST(@threads AS text[])) AS g(key)) g
    CROSS JOIN LATERAL (
        SELECT thread_id
        FROM messages
        WHERE forum_id = @forum AND thread = g.key AND thread <> '' AND thread_id IS NOT NULL
        LIMIT 1
    ) m
)
SELECT found.key, t.id, t.plain, t.headed, t.first_at, t.last_at
FROM found
JOIN forum_threads t ON t.id = found.thread_id
