-- The boards of ratings on which @asking sees somebody. It steps from board to board through the index,
-- so it reads a row or three of each.
WITH RECURSIVE boards AS (
    (
        SELECT board FROM standing_places
        WHERE board > 'rating:' AND board < 'rating;'
        ORDER BY board
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT p.board FROM standing_places p
        WHERE p.board > b.board AND p.board < 'rating;'
        ORDER BY p.board
        LIMIT 1
    )
    FROM boards b
    WHERE b.board IS NOT NULL
)
SELECT b.board FROM boards b
WHERE EXISTS (SELECT FROM standing_places p WHERE p.board = b.board AND p.shown = 0)
    OR @asking <> 0 AND EXISTS (SELECT FROM standing_places p WHERE p.board = b.board AND p.shown = 1)
    OR @asking < 0 AND EXISTS (SELECT FROM standing_places p WHERE p.board = b.board AND p.shown = 2)
ORDER BY b.board
