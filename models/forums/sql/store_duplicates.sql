-- Stores the second addresses of messages, and returns how many are new.
WITH stored AS (
    INSERT INTO message_duplicates AS d (forum_id, url, serial, seen_at)
    SELECT DISTINCT ON (g.url) @forum, g.url, m.serial, @now
    FROM unnest(CAST(@urls AS text[]), CAST(@ids AS text[])) AS g(url, id)
    JOIN messages m ON m.forum_id = @forum AND m.message_id = g.id AND m.url <> g.url
    WHERE g.id <> ''
    ON CONFLICT (forum_id, url) DO UPDATE
    SET seen = d.seen + 1, seen_at = EXCLUDED.seen_at
    RETURNING xmax = 0 AS fresh
)
SELECT count(*) FILTER (WHERE fresh)
FROM stored
