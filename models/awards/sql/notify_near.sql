-- Notices for those who are one step away from a level. One that was dropped waits again.
INSERT INTO notices AS n (member_id, award_id, period, level, kind, progress, created_at, due_at)
SELECT
    g.member_id, g.award_id, g.period, g.level, 'near', g.progress,
    CAST(@now AS timestamptz), CAST(@due AS timestamptz)
FROM unnest(
    CAST(@awards AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]), CAST(@levels AS integer[]),
    CAST(@progress AS numeric[])
) AS g(award_id, member_id, period, level, progress)
ON CONFLICT (member_id, award_id, period, level, kind) DO UPDATE
SET state = 'waiting', reason = '', created_at = EXCLUDED.created_at, due_at = EXCLUDED.due_at,
    progress = EXCLUDED.progress
WHERE n.state = 'dropped'
