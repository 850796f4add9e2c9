-- A page of a board (@board) as @asking sees it, behind the place of @value and @name: by value, and
-- equal ones by name. It is merged from an index scan for each kind of audience, so no row is read
-- that is not shown. The rank a week ago is where the value of then stood among those of then
-- (@then).
WITH page AS MATERIALIZED (
    SELECT member_id, shown, name, value, was, submissions, accepted
    FROM (
        (
            SELECT member_id, shown, name, value, behind, was, submissions, accepted
            FROM standing_places
            WHERE board = @board AND shown = 0 AND (behind, name) > (-CAST(@value AS integer), CAST(@name AS text))
            ORDER BY behind, name
            LIMIT @limit
        )
        UNION ALL
        (
            SELECT member_id, shown, name, value, behind, was, submissions, accepted
            FROM standing_places
            WHERE board = @board AND shown = 1 AND (behind, name) > (-CAST(@value AS integer), CAST(@name AS text))
                AND @asking <> 0
            ORDER BY behind, name
            LIMIT @limit
        )
        UNION ALL
        (
            SELECT member_id, shown, name, value, behind, was, submissions, accepted
            FROM standing_places
            WHERE board = @board AND shown = 2 AND (behind, name) > (-CAST(@value AS integer), CAST(@name AS text))
                AND @asking < 0
            ORDER BY behind, name
            LIMIT @limit
        )
        UNION ALL
        (
            SELECT member_id, shown, name, value, behind, was, submissions, accepted
            FROM standing_places
            WHERE board = @board AND shown = 2 AND (behind, name) > (-CAST(@value AS integer), CAST(@name AS text))
                AND member_id = @asking
            ORDER BY behind, name
            LIMIT @limit
        )
    ) p
    ORDER BY behind, name
    LIMIT @limit
),
steps AS (
    SELECT
        amounts,
        CASE WHEN @asking < 0 THEN for_admins WHEN @asking = 0 THEN for_everyone ELSE for_members END AS counts
    FROM standing_steps
    WHERE board = @board AND day = CAST(@then AS date)
)
SELECT
    p.member_id, p.shown = 2 AND @asking > 0 AS kept, p.value, p.submissions, p.accepted,
    s.name, s.display_name, s.custom, s.solved, s.streak,
    to_json(s.weeks) AS weeks, to_json(s.incomplete) AS incomplete,
    CASE
        WHEN p.was IS NULL OR k.amounts IS NULL THEN 0
        ELSE 1 + coalesce(k.counts[width_bucket(p.was, k.amounts) + 1], 0)
    END AS rank_was
FROM page p
JOIN standings s ON s.member_id = p.member_id AND visible_to(@asking, s.member_id, s.shown)
LEFT JOIN steps k ON true
ORDER BY p.value DESC, p.name
