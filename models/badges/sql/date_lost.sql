-- Gives lost badges of grants the dates of these: they are revoked, and nothing is to be made in their place.
UPDATE badges b
SET granted_at = g.granted_at
FROM award_grants g, award_grant_log l, badge_losses s
WHERE g.id = ANY(CAST(@grants AS bigint[])) AND b.grant_id = g.id AND b.superseded_by IS NULL
    AND l.id = b.log_id AND l.what = 'granted' AND s.badge_id = b.id AND b.granted_at <> g.granted_at
