-- The current badges of grants whose dates are others now, with the new dates. One that was lost is not among them.
SELECT b.id, b.log_id, b.grant_id, b.award_version, g.granted_at
FROM badges b
JOIN award_grants g ON g.id = b.grant_id
JOIN award_grant_log l ON l.id = b.log_id AND l.what = 'granted'
WHERE g.id = ANY(CAST(@grants AS bigint[])) AND b.superseded_by IS NULL AND b.granted_at <> g.granted_at
    AND NOT EXISTS (SELECT FROM badge_losses s WHERE s.badge_id = b.id)
ORDER BY b.log_id
