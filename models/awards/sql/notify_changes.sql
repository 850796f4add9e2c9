-- Notices of what the log of grants says of @now about these members. What is granted back
-- was reported before; only what was dropped, because it was not true for long, waits again.
INSERT INTO notices AS n (member_id, award_id, period, level, kind, created_at, due_at)
SELECT DISTINCT
    g.member_id, g.award_id, g.period, g.level,
    CASE WHEN g.revoked_at IS NOT NULL THEN 'revoked' WHEN g.granted_at < @fresh THEN 'older' ELSE 'granted' END,
    CAST(@now AS timestamptz), CAST(@due AS timestamptz)
FROM award_grants g
JOIN award_grant_log l ON l.grant_id = g.id AND l.at = @now AND l.what IN ('granted', 'granted again', 'revoked')
WHERE g.member_id = ANY(CAST(@members AS bigint[])) AND (
    g.revoked_at IS NOT NULL
    OR NOT EXISTS (
        SELECT FROM notices w
        WHERE w.member_id = g.member_id AND w.award_id = g.award_id AND w.period = g.period
            AND w.level = g.level AND w.kind IN ('granted', 'older') AND w.state = 'released'
    )
)
ON CONFLICT (member_id, award_id, period, level, kind) DO UPDATE
SET state = 'waiting', reason = '', created_at = EXCLUDED.created_at, due_at = EXCLUDED.due_at,
    progress = EXCLUDED.progress
WHERE n.state = 'dropped'
