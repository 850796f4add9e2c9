-- The places around a member's own (@member) on a board (@board) as @asking sees it: at most @each before it and
-- behind it, or the first 2 * @each + 1 where the member is not on it. better and equal are of the first row's
-- value, from which all ranks follow. Each direction is a scan of the index for each audience that is seen.
WITH own AS (
    SELECT member_id, behind, name FROM standing_places WHERE member_id = @member AND board = @board AND shown < 3
),
start AS (
    SELECT
        coalesce(max(behind), -2147483648) AS behind,
        coalesce(max(name), '') AS name,
        CASE WHEN count(*) = 0 THEN 2 * @each + 1 ELSE @each END AS further
    FROM own
),
seen AS (
    SELECT CAST(a AS smallint) AS shown
    FROM unnest(CASE WHEN @asking < 0 THEN ARRAY[0, 1, 2] WHEN @asking > 0 THEN ARRAY[0, 1] ELSE ARRAY[0] END) AS a
),
near AS MATERIALIZED (
    (
        SELECT p.member_id
        FROM start, seen a CROSS JOIN LATERAL (
            SELECT member_id, behind, name FROM standing_places
            WHERE board = @board AND shown = a.shown AND (behind, name) < (start.behind, start.name)
            ORDER BY behind DESC, name DESC
            LIMIT @each
        ) p
        ORDER BY p.behind DESC, p.name DESC
        LIMIT @each
    )
    UNION
    (
        SELECT p.member_id
        FROM start, seen a CROSS JOIN LATERAL (
            SELECT member_id, behind, name FROM standing_places
            WHERE board = @board AND shown = a.shown AND (behind, name) > (start.behind, start.name)
            ORDER BY behind, name
            LIMIT 2 * @each + 1
        ) p
        ORDER BY p.behind, p.name
        LIMIT (SELECT further FROM start)
    )
    UNION
    SELECT member_id FROM own
),
steps AS (
    SELECT
        amounts,
        CASE WHEN @asking < 0 THEN for_admins WHEN @asking = 0 THEN for_everyone ELSE for_members END AS counts
    FROM standing_steps
    WHERE board = @board AND day = CAST(@then AS date)
),
rows AS (
    SELECT
        p.member_id, p.shown, p.value, p.name AS sorted, s.name, s.display_name, s.custom, s.solved, s.streak,
        CASE
            WHEN p.was IS NULL OR k.amounts IS NULL THEN 0
            ELSE 1 + coalesce(k.counts[width_bucket(p.was, k.amounts) + 1], 0)
        END AS rank_was
    FROM near n
    JOIN standing_places p ON p.member_id = n.member_id AND p.board = @board
    JOIN standings s ON s.member_id = p.member_id
        AND (visible_to(@asking, s.member_id, s.shown) OR s.member_id = @member)
    LEFT JOIN steps k ON true
),
first AS MATERIALIZED ( -- Once, and not for each row.
    SELECT
        standing_better(@board, value, @asking) AS better,
        standing_better(@board, value - 1, @asking) AS with_equal
    FROM (SELECT max(value) AS value FROM rows) x
)
SELECT
    r.member_id, r.shown = 2 AND @asking > 0 AS kept, r.value, r.name, r.display_name, r.custom, r.solved, r.streak,
    r.rank_was, f.better, f.with_equal - f.better AS equal
FROM rows r
CROSS JOIN first f
ORDER BY r.value DESC, r.sorted
