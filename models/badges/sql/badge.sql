-- A badge with its award and member, and whether anybody, and the viewer, may see it.
SELECT
    b.id, b.list, b.place, b.granted_at,
    coalesce(l.at, b.revoked_at) AS revoked_at,
    coalesce(l.reason, '') AS revoked_reason,
    b.superseded_at, n.id AS current, n.granted_at AS current_at,
    g.id IS NULL AS gone,
    b.award_version AS version,
    a.slug, g.period, g.level, g.given_by,
    m.id AS member_id, m.name AS member, m.display_name, m.time_zone AS zone,
    coalesce(
        m.banned_at IS NULL AND m.audience = 0 AND NOT a.secret AND a.state IN ('active', 'paused', 'retired'), false
    ) AS public,
    coalesce(
        @admin OR m.id = @viewer
        OR m.banned_at IS NULL AND visible_to(@asking, m.id, m.audience)
            AND award_visible(a.id, a.state, a.secret, @viewer),
        false
    ) AS shown,
    CAST(v.document AS text) AS document
FROM badges b
LEFT JOIN (award_grants g JOIN members m ON m.id = g.member_id JOIN awards a ON a.id = g.award_id) ON g.id = b.grant_id
LEFT JOIN award_versions v ON v.award_id = a.id AND v.number = b.award_version
LEFT JOIN badges n ON b.superseded_by IS NOT NULL AND n.log_id = b.log_id AND n.superseded_by IS NULL
LEFT JOIN badge_losses l ON l.badge_id = b.id
WHERE b.id = CAST(@id AS uuid)
