-- Writes the notices of a new award for members in the order of their ids, from behind @after.
-- One who heard of new awards not long ago hears of this one a day after that. Returns how
-- many members it fits, and the last one.
WITH fits AS MATERIALIZED (
    SELECT member_id
    FROM (
        SELECT member_id
        FROM user_awards
        WHERE award_id = @award AND started AND member_id > @after
        UNION
        SELECT c.member_id
        FROM objective_counters c
        JOIN objectives o ON o.id = c.objective_id AND o.retired_at IS NULL
        WHERE o.award_id = @award AND c.amount > 0 AND c.member_id > @after
    ) f
    ORDER BY member_id
    LIMIT @limit
),
written AS (
    INSERT INTO notices (member_id, award_id, period, level, kind, created_at, due_at)
    SELECT
        f.member_id, CAST(@award AS bigint), '', 0, 'new', CAST(@now AS timestamptz),
        coalesce(
            (
                SELECT max(due_at)
                FROM notices n
                WHERE n.member_id = f.member_id AND n.kind = 'new' AND n.state = 'waiting'
            ),
            greatest(
                CAST(@due AS timestamptz),
                (
                    SELECT max(due_at) + interval '24 hours'
                    FROM notices n
                    WHERE n.member_id = f.member_id AND n.kind = 'new' AND n.state = 'released'
                )
            )
        )
    FROM fits f
    JOIN awards a ON a.id = @award AND a.state = 'active' AND NOT a.secret
    WHERE NOT EXISTS (SELECT FROM award_grants g WHERE g.award_id = a.id AND g.member_id = f.member_id)
        -- They have not heard of it.
        AND NOT EXISTS (SELECT FROM notices n WHERE n.award_id = a.id AND n.member_id = f.member_id)
    ON CONFLICT DO NOTHING
)
SELECT count(*) AS members, coalesce(max(member_id), 0) AS last
FROM fits
