-- Gives a member all levels up to @level and locks them; each gets a line in the log, also one
-- that was held already.
WITH before AS MATERIALIZED (
    SELECT level, revoked_at
    FROM award_grants
    WHERE member_id = @member AND award_id = @award AND period = @period
),
given AS (
    INSERT INTO award_grants AS g (
        award_id, member_id, period, level, award_version, granted_at, found_at, given_by, locked
    )
    SELECT
        CAST(@award AS bigint), CAST(@member AS bigint), @period, level, CAST(@version AS integer),
        CAST(@now AS timestamptz), CAST(@now AS timestamptz), @author, true
    FROM generate_series(1, CAST(@level AS integer)) level
    ON CONFLICT (member_id, award_id, period, level) DO UPDATE
    SET revoked_at = NULL, revoked_reason = '', locked = true,
        given_by = CASE WHEN g.revoked_at IS NULL THEN g.given_by ELSE EXCLUDED.given_by END
    RETURNING id, level
)
INSERT INTO award_grant_log (grant_id, at, what, reason, author)
SELECT
    g.id,
    @now,
    CASE WHEN b.level IS NULL THEN 'granted' WHEN b.revoked_at IS NULL THEN 'kept' ELSE 'granted again' END,
    @note,
    @author
FROM given g
LEFT JOIN before b ON b.level = g.level
ORDER BY g.level
