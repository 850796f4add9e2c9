-- Sets of the badges of a member what the log of grants makes of them. One that was made twice is revoked and
-- nobody's from then on.
WITH shown AS (
    SELECT
        b.id, l.grant_id, v.number IS NOT NULL AS known, g.award_version,
        CASE l.what WHEN 'granted' THEN g.granted_at ELSE l.at END AS right_at,
        row_number() OVER (PARTITION BY l.id ORDER BY b.made_at NULLS FIRST, b.id) AS nth
    FROM award_grants g
    JOIN award_grant_log l ON l.grant_id = g.id AND l.what IN ('granted', 'granted again')
    JOIN badges b ON b.log_id = l.id
    LEFT JOIN award_versions v ON v.award_id = g.award_id AND v.number = b.award_version
    WHERE g.member_id = @member
)
UPDATE badges b
SET grant_id = CASE WHEN s.nth = 1 THEN s.grant_id END,
    log_id = CASE WHEN s.nth = 1 THEN b.log_id ELSE 0 END,
    revoked_at = CASE WHEN s.nth > 1 THEN CAST(@now AS timestamptz) END,
    granted_at = s.right_at,
    award_version = CASE WHEN s.known THEN b.award_version ELSE s.award_version END
FROM shown s
WHERE b.id = s.id AND (
    s.nth > 1 OR b.grant_id IS DISTINCT FROM s.grant_id OR b.revoked_at IS NOT NULL OR b.granted_at <> s.right_at
    OR NOT s.known
)
