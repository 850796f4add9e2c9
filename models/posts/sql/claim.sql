-- Leases posts of a pool that are due, the longest overdue first, for requests of @batch
-- posts each: as many full ones as there are, or else one that is not full, if its oldest
-- post has waited since before @waited.
WITH due AS MATERIALIZED (
    SELECT id, next_update_at
    FROM posts
    WHERE network = @network
        AND host = @host
        AND next_update_at <= @now
        AND (leased_until IS NULL OR leased_until <= @now)
    ORDER BY next_update_at
    LIMIT @limit
    FOR UPDATE SKIP LOCKED
),
numbered AS MATERIALIZED (
    SELECT
        id,
        next_update_at,
        row_number() OVER (ORDER BY next_update_at, id) AS n,
        count(*) OVER () / @batch * @batch AS whole
    FROM due
),
ripe AS (
    SELECT id
    FROM numbered
    WHERE n <= whole OR (whole = 0 AND (SELECT min(next_update_at) FROM numbered) <= @waited)
)
UPDATE posts p
SET leased_until = @until, lease_id = @lease
FROM ripe
WHERE p.id = ripe.id
RETURNING
    p.id, p.external_id, p.member_id, p.created_at, p.likes, p.reposts, p.replies, p.quotes, p.bookmarks, p.views,
    p.metrics_at, p.charged_on, p.state, p.next_update_at, p.attempts, p.missing_count, p.missing_since, p.fetches
