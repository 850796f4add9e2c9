-- Gives the superseded badges of a member the grant and the line of those that they lead to, and lets those that lead
-- to a badge of somebody else be superseded by the current one of their line.
WITH RECURSIVE chain AS (
    SELECT b.id, b.grant_id, b.log_id
    FROM badges b
    JOIN award_grants g ON g.id = b.grant_id
    WHERE g.member_id = @member AND b.superseded_by IS NULL
    UNION
    SELECT o.id, c.grant_id, c.log_id
    FROM chain c
    JOIN badges o ON o.superseded_by = c.id
    WHERE o.log_id = c.log_id OR o.grant_id = c.grant_id
),
lost AS (
    SELECT o.id, c.id AS current, c.grant_id, c.log_id
    FROM badges o
    JOIN badges c ON c.log_id = o.log_id AND c.superseded_by IS NULL
    JOIN award_grants g ON g.id = c.grant_id AND g.member_id = @member
    WHERE o.superseded_by IS NOT NULL AND NOT EXISTS (SELECT FROM chain WHERE chain.id = o.id)
)
UPDATE badges b
SET grant_id = w.grant_id, log_id = w.log_id, superseded_by = coalesce(w.current, b.superseded_by)
FROM (
    SELECT id, CAST(NULL AS uuid) AS current, grant_id, log_id
    FROM chain
    UNION ALL
    SELECT id, current, grant_id, log_id
    FROM lost
) w
WHERE b.id = w.id AND b.superseded_by IS NOT NULL AND (
    b.grant_id IS DISTINCT FROM w.grant_id OR b.log_id <> w.log_id OR b.superseded_by <> w.current
)
