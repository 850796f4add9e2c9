-- Grants of members behind @after and up to @last, each with what the log of grants and its badge say of it.
-- A line "kept" gives and takes nothing: it only says that somebody locked what was held.
SELECT
    g.id, g.award_id, a.slug, g.member_id, g.period, g.level, g.award_version, g.granted_at, g.found_at, g.given_by,
    g.revoked_at, g.revoked_reason, g.locked,
    coalesce(l.gives, 0) AS gives, coalesce(l.lost, 0) AS lost, coalesce(l.touched, false) AS touched,
    coalesce(l.first_what, '') AS first_what, coalesce(l.first_author, '') AS first_author, l.first_at,
    coalesce(l.giver, '') AS giver,
    coalesce(l.last_id, 0) AS last_id, coalesce(l.last_what, '') AS last_what, l.last_at,
    coalesce(l.last_reason, '') AS last_reason, coalesce(l.last_author, '') AS last_author,
    coalesce(b.award_version, 0) AS badge_version
FROM award_grants g
JOIN awards a ON a.id = g.award_id
LEFT JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE what IN ('granted', 'granted again')) AS gives,
        count(*) FILTER (WHERE lost) AS lost,
        bool_or(author <> '') AS touched,
        (array_agg(what ORDER BY id))[1] AS first_what,
        (array_agg(author ORDER BY id))[1] AS first_author,
        (array_agg(at ORDER BY id))[1] AS first_at,
        (array_agg(author ORDER BY id DESC) FILTER (WHERE what IN ('granted', 'granted again')))[1] AS giver,
        (array_agg(id ORDER BY id DESC) FILTER (WHERE what <> 'kept'))[1] AS last_id,
        (array_agg(what ORDER BY id DESC) FILTER (WHERE what <> 'kept'))[1] AS last_what,
        (array_agg(at ORDER BY id DESC) FILTER (WHERE what <> 'kept'))[1] AS last_at,
        (array_agg(reason ORDER BY id DESC) FILTER (WHERE what <> 'kept'))[1] AS last_reason,
        (array_agg(author ORDER BY id DESC) FILTER (WHERE what <> 'kept'))[1] AS last_author
    FROM award_grant_lines
    WHERE grant_id = g.id
) l ON true
LEFT JOIN LATERAL (
    SELECT o.award_version
    FROM badges o
    JOIN award_versions v ON v.award_id = g.award_id AND v.number = o.award_version
    JOIN award_grant_log w ON w.id = o.log_id AND w.what = 'granted'
    WHERE o.grant_id = g.id
    ORDER BY o.log_id, o.superseded_by IS NOT NULL
    LIMIT 1
) b ON true
WHERE g.member_id > @after AND g.member_id <= @last
ORDER BY g.id
