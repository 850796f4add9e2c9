-- A member's own place (@member) on a board, as @asking sees the board, whoever may see the member:
-- none where the member stays off the boards.
SELECT
    p.member_id, p.value, p.submissions, p.accepted,
    s.name, s.display_name, s.custom, s.solved, s.streak,
    to_json(s.weeks) AS weeks, to_json(s.incomplete) AS incomplete,
    1 + standing_better(p.board, p.value, @asking) AS rank,
    CASE
        WHEN p.was IS NULL OR k.amounts IS NULL THEN 0
        ELSE 1 + coalesce(
            (CASE WHEN @asking < 0 THEN k.for_admins WHEN @asking = 0 THEN k.for_everyone ELSE k.for_members END)
                [width_bucket(p.was, k.amounts) + 1],
            0
        )
    END AS rank_was
FROM standing_places p
JOIN standings s ON s.member_id = p.member_id
LEFT JOIN standing_steps k ON k.board = p.board AND k.day = CAST(@then AS date)
WHERE p.member_id = @member AND p.board = @board AND p.shown < 3
