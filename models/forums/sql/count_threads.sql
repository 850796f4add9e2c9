-- Counts threads anew, each by itself: together, the planner would rather read all messages
-- of all forums.
UPDATE forum_threads t
SET head = m.head, messages = m.messages, people = m.people, first_at = m.first_at, last_at = m.last_at
FROM (
    SELECT DISTINCT id
    FROM unnest(CAST(@ids AS bigint[])) AS g(id)
) g
CROSS JOIN LATERAL (
    SELECT
        count(*) AS messages,
        count(DISTINCT lower(CASE WHEN address = '' THEN author ELSE address END)) AS people,
        max(placed_at) AS last_at,
        coalesce(min(placed_at) FILTER (WHERE placed_at > '0002-01-01'), '0001-01-01') AS first_at,
        (array_agg(serial ORDER BY in_reply_to <> '', placed_at < '0002-01-01', placed_at, serial))[1] AS head
    FROM messages
    WHERE thread_id = g.id
) m
WHERE t.id = g.id AND m.messages > 0
