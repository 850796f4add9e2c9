-- Sets of the badges of a member what the log of grants makes of them. One that was made twice is revoked and
-- nobody's from then on; one that has an older date is superseded instead.
WITH shown AS (
    SELECT
        b.id, l.grant_id, v.number IS NOT NULL AS known, g.award_version,
        CASE l.what WHEN 'granted' THEN g.granted_at ELSE l.at END AS right_at,
        row_number() OVER won AS nth, first_value(b.id) OVER won AS current
    FROM award_grants g
    JOIN award_grant_log l ON l.grant_id = g.id AND l.what IN ('granted', 'granted again')
    JOIN badges b ON b.log_id = l.id AND b.superseded_by IS NULL
    LEFT JOIN award_versions v ON v.award_id = g.award_id AND v.number = b.award_version
    WHERE g.member_id = @member
    WINDOW won AS (
        PARTITION BY l.id
        ORDER BY b.granted_at <> CASE l.what WHEN 'granted' THEN g.granted_at ELSE l.at END, b.made_at NULLS FIRST, b.id
    )
),
judged AS (
    SELECT
        s.id, s.grant_id, s.known, s.award_version, s.right_at, s.current,
        s.nth > 1 AND b.granted_at = s.right_at AS twice, s.nth > 1 AND b.granted_at <> s.right_at AS old
    FROM shown s
    JOIN badges b ON b.id = s.id
)
UPDATE badges b
SET grant_id = CASE WHEN NOT s.twice THEN s.grant_id END,
    log_id = CASE WHEN NOT s.twice THEN b.log_id ELSE 0 END,
    revoked_at = CASE WHEN s.twice THEN CAST(@now AS timestamptz) END,
    superseded_by = CASE WHEN s.old THEN s.current END,
    superseded_at = CASE WHEN s.old THEN CAST(@now AS timestamptz) END,
    granted_at = CASE WHEN s.old THEN b.granted_at ELSE s.right_at END,
    award_version = CASE WHEN s.known THEN b.award_version ELSE s.award_version END
FROM judged s
WHERE b.id = s.id AND (
    s.twice OR s.old OR b.grant_id IS DISTINCT FROM s.grant_id OR b.revoked_at IS NOT NULL OR b.granted_at <> s.right_at
    OR NOT s.known
)
