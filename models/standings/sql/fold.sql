-- Adds changes of places to the counts, at most @limit: one process at a time, so that none waits
-- for a counter of another's.
WITH moves AS (
    DELETE FROM standing_moves
    WHERE id IN (SELECT id FROM standing_moves ORDER BY id LIMIT @limit)
    RETURNING board, shown, value, n
),
sums AS (
    SELECT
        board, l AS level, value >> (2 * l) AS bucket,
        coalesce(sum(n) FILTER (WHERE shown = 0), 0) AS for_everyone,
        coalesce(sum(n) FILTER (WHERE shown = 1), 0) AS for_members,
        coalesce(sum(n) FILTER (WHERE shown = 2), 0) AS kept
    FROM moves
    CROSS JOIN generate_series(0, 11) AS l
    GROUP BY board, l, value >> (2 * l)
),
added AS (
    INSERT INTO standing_counts AS c (board, level, bucket, for_everyone, for_members, kept)
    SELECT board, level, bucket, for_everyone, for_members, kept
    FROM sums
    WHERE for_everyone <> 0 OR for_members <> 0 OR kept <> 0
    ORDER BY board, level, bucket
    ON CONFLICT (board, level, bucket) DO UPDATE
    SET for_everyone = c.for_everyone + EXCLUDED.for_everyone,
        for_members = c.for_members + EXCLUDED.for_members,
        kept = c.kept + EXCLUDED.kept
)
SELECT count(*) FROM moves
