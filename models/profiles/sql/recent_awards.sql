-- The newest awards of different people whom @asking sees, each person with their newest. The index gives the newest
-- 200 levels of everybody; who earned more than all others since then leaves room for fewer.
WITH newest AS (
    SELECT id, award_id, member_id, level, granted_at
    FROM award_grants
    WHERE revoked_at IS NULL AND granted_at <= @now
    ORDER BY granted_at DESC, id DESC
    LIMIT 200
),
of_people AS (
    SELECT DISTINCT ON (m.id)
        m.name, m.display_name, a.slug, v.document ->> 'title' AS title,
        coalesce(v.document -> 'levels' -> (g.level - 1) ->> 'title', '') AS level_title, g.granted_at AS at, g.id
    FROM newest g
    JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL AND visible_to(@asking, m.id, m.audience)
    JOIN awards a ON a.id = g.award_id AND award_visible(a.id, a.state, a.secret, @viewer)
    JOIN award_versions v ON v.award_id = a.id AND v.number = a.version
    ORDER BY m.id, g.granted_at DESC, g.level DESC, g.id DESC
)
SELECT name, display_name, slug, title, level_title, at
FROM of_people
ORDER BY at DESC, id DESC
LIMIT @limit
