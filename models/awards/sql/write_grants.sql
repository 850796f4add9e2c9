-- Grants and revokes levels, each with its line in the log: a level that is held is lost, and
-- one that was lost is held again.
WITH given AS MATERIALIZED (
    SELECT g.award_id, g.member_id, g.period, g.level, g.version, g.what, g.reason, g.at
    FROM unnest(
        CAST(@awards AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]), CAST(@levels AS integer[]),
        CAST(@versions AS integer[]), CAST(@whats AS text[]), CAST(@reasons AS text[]), CAST(@ats AS timestamptz[])
    ) AS g(award_id, member_id, period, level, version, what, reason, at)
),
changed AS (
    INSERT INTO award_grants AS a (award_id, member_id, period, level, award_version, granted_at, found_at)
    SELECT award_id, member_id, period, level, version, at, @now FROM given
    ON CONFLICT (member_id, award_id, period, level) DO UPDATE
    SET revoked_at = CASE WHEN a.revoked_at IS NULL THEN CAST(@now AS timestamptz) END,
        revoked_reason = CASE WHEN a.revoked_at IS NULL THEN (
            SELECT g.reason FROM given g
            WHERE g.member_id = a.member_id AND g.award_id = a.award_id AND g.period = a.period AND g.level = a.level
        ) ELSE '' END
    RETURNING id, award_id, member_id, period, level
)
INSERT INTO award_grant_log (grant_id, at, what, reason)
SELECT c.id, @now, g.what, g.reason
FROM changed c
JOIN given g USING (award_id, member_id, period, level)
ORDER BY c.id
