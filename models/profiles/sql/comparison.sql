-- Two members by name, @first before @second, with their sums and on how many days since
-- @since each was active, and both were.
WITH pair AS MATERIALIZED (
    SELECT id, name, display_name, time_zone, custom, role, owner_id, created_at
    FROM members
    WHERE lower(name) IN (lower(@first), lower(@second)) AND visible_to(@asking, id, audience)
),
both_active AS (
    SELECT day
    FROM days
    WHERE member_id IN (SELECT id FROM pair) AND day >= @since
    GROUP BY day
    HAVING count(*) = 2
)
SELECT
    m.id, m.name, m.display_name, m.time_zone, m.custom, m.role, m.owner_id, m.created_at,
    s.submissions, s.accepted, s.solved,
    s.day_streak, s.best_day_streak, s.ac_streak, s.best_ac_streak, s.last_day, s.newest_at,
    s.undetailed_submissions, s.undetailed_solved,
    (SELECT count(*) FROM days WHERE member_id = m.id AND day >= @since) AS active,
    (SELECT count(*) FROM both_active) AS common
FROM pair m
LEFT JOIN member_stats s ON s.member_id = m.id
ORDER BY lower(m.name) <> lower(@first)
