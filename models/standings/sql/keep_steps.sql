-- Keeps what the boards are now under @day, unless it was kept: as many rows as amounts differ, however
-- many members there are. The last weeks are kept, and of all that was ever solved the first days of
-- months, too.
WITH late AS (
    DELETE FROM standing_steps
    WHERE day < CAST(@day AS date) - 14 AND NOT (board = 'solved:all' AND extract(day FROM day) = 1)
),
counts AS (
    SELECT board, value, sum(for_everyone) AS for_everyone, sum(for_members) AS for_members, sum(kept) AS kept
    FROM (
        SELECT board, bucket AS value, for_everyone, for_members, kept FROM standing_counts WHERE level = 0
        UNION ALL
        SELECT
            board, value,
            CASE WHEN shown = 0 THEN n ELSE 0 END,
            CASE WHEN shown = 1 THEN n ELSE 0 END,
            CASE WHEN shown = 2 THEN n ELSE 0 END
        FROM standing_moves
    ) x
    GROUP BY board, value
),
steps AS (
    SELECT
        board, value,
        sum(for_everyone) OVER w AS for_everyone,
        sum(for_everyone + for_members) OVER w AS for_members,
        sum(for_everyone + for_members + kept) OVER w AS for_admins
    FROM counts
    WHERE for_everyone + for_members + kept > 0
    WINDOW w AS (PARTITION BY board ORDER BY value DESC)
)
INSERT INTO standing_steps (board, day, amounts, for_everyone, for_members, for_admins)
SELECT
    board, @day, array_agg(value ORDER BY value), array_agg(for_everyone ORDER BY value),
    array_agg(for_members ORDER BY value), array_agg(for_admins ORDER BY value)
FROM steps
WHERE NOT EXISTS (SELECT FROM standing_steps WHERE day = CAST(@day AS date))
GROUP BY board
ON CONFLICT (board, day) DO NOTHING
