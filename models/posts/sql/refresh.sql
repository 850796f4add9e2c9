-- Makes a post due at once, unless that was requested since @since. Returns whether it was, and
-- when it was requested before.
WITH old AS (
    SELECT id, network, requested_at
    FROM posts
    WHERE id = @id AND state NOT IN ('invalid', 'paused')
    FOR UPDATE
),
moved AS (
    UPDATE posts p
    SET requested_at = @now, next_update_at = least(p.next_update_at, CAST(@due AS timestamptz))
    FROM old
    WHERE p.id = old.id AND (old.requested_at IS NULL OR old.requested_at <= @since)
    RETURNING pg_notify(@channel, @wake || p.network)
)
SELECT (SELECT count(*) FROM moved) > 0, (SELECT requested_at FROM old)
