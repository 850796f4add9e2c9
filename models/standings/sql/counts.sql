-- How many whom @asking sees have more than @value on a board (@board), how many have just that, and how
-- many are on the board: all have more than @least.
SELECT
    standing_better(@board, @value, @asking) AS better,
    standing_better(@board, @least, @asking) AS size,
    coalesce((
        SELECT
            c.for_everyone
            + CASE WHEN @asking <> 0 THEN c.for_members ELSE 0 END
            + CASE WHEN @asking < 0 THEN c.kept ELSE 0 END
        FROM standing_counts c
        WHERE c.board = @board AND c.level = 0 AND c.bucket = @value
    ), 0)
    + coalesce((
        SELECT sum(n)
        FROM standing_moves
        WHERE board = @board AND value = @value AND (shown = 0 OR shown = 1 AND @asking <> 0 OR @asking < 0)
    ), 0) AS equal
