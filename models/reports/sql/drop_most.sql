-- Keeps at most @most waiting reports of visitors: the first one of each address comes before the second one of any, so
-- who sends many pushes out their own and nobody else's.
DELETE FROM reports
WHERE id IN (
    SELECT id
    FROM (
        SELECT id, row_number() OVER (PARTITION BY visitor ORDER BY id) AS nth
        FROM reports
        WHERE resolved_at IS NULL AND visitor IS NOT NULL
    ) waiting
    ORDER BY nth, id
    OFFSET @most
)
RETURNING id
