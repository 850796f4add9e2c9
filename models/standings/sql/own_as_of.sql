-- What a member (@member) had ever solved as a day of UTC (@day) began, as known now, and where that
-- stands in the counts of then, as @asking sees the board.
SELECT
    x.member_id, x.value, s.name, s.display_name, s.custom,
    CASE
        WHEN k.amounts IS NULL THEN 0
        ELSE 1 + coalesce(
            (CASE WHEN @asking < 0 THEN k.for_admins WHEN @asking = 0 THEN k.for_everyone ELSE k.for_members END)
                [width_bucket(x.value, k.amounts) + 1],
            0
        )
    END AS rank
FROM (
    SELECT p.member_id, p.board, p.value - (
        SELECT count(*) FROM solved f
        WHERE f.member_id = p.member_id AND f.first_at >= CAST(@day AS date) AT TIME ZONE 'UTC'
    ) AS value
    FROM standing_places p
    WHERE p.member_id = @member AND p.board = 'solved:all' AND p.shown < 3
) x
JOIN standings s ON s.member_id = x.member_id
LEFT JOIN standing_steps k ON k.board = x.board AND k.day = CAST(@day AS date)
WHERE x.value > 0
