-- How far each member is. Who has not begun has no row, unless there is one already.
INSERT INTO user_awards AS u (award_id, member_id, period, progress, goal, level, started, version, updated_at)
SELECT g.award_id, g.member_id, g.period, g.progress, g.goal, g.level, g.started, g.version, @now
FROM unnest(
    CAST(@awards AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]), CAST(@progress AS numeric[]),
    CAST(@goals AS numeric[]), CAST(@levels AS integer[]), CAST(@started AS boolean[]), CAST(@versions AS bigint[])
) AS g(award_id, member_id, period, progress, goal, level, started, version)
WHERE g.started OR EXISTS (
    SELECT FROM user_awards o
    WHERE o.member_id = g.member_id AND o.award_id = g.award_id AND o.period = g.period
)
ON CONFLICT (member_id, award_id, period) DO UPDATE
SET progress = EXCLUDED.progress, goal = EXCLUDED.goal, level = EXCLUDED.level, started = EXCLUDED.started,
    version = EXCLUDED.version, updated_at = EXCLUDED.updated_at
