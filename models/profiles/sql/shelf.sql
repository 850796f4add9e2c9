-- A member's newest awards and those that are nearly reached, as far as a viewer may see them; 0 is a visitor.
-- What is to be reached has the title of its level, and what is counted where that is one thing.
WITH held AS (
    SELECT g.award_id, max(g.level) AS level, max(g.granted_at) AS at
    FROM award_grants g
    JOIN awards a ON a.id = g.award_id
    WHERE g.member_id = @member AND g.revoked_at IS NULL AND award_visible(a.id, a.state, a.secret, @viewer)
    GROUP BY g.award_id
),
near AS (
    SELECT u.award_id, u.level, u.progress, n.goal
    FROM user_awards u
    JOIN awards a ON a.id = u.award_id AND a.state = 'active' AND award_visible(a.id, a.state, a.secret, @viewer)
    JOIN award_versions v ON v.award_id = a.id AND v.number = a.version
    CROSS JOIN LATERAL (
        SELECT coalesce(CAST(v.document #>> ARRAY['levels', CAST(u.level AS text), 'goal'] AS numeric), u.goal) AS goal
    ) n
    WHERE u.member_id = @member AND u.period = '' AND u.progress > 0 AND u.progress < n.goal
    ORDER BY u.progress / n.goal DESC, u.award_id
    LIMIT @near
),
shown AS (
    (SELECT award_id, level, at, 0.0 AS progress, 0.0 AS goal FROM held ORDER BY at DESC, award_id LIMIT @most)
    UNION ALL
    SELECT award_id, level, NULL, progress, goal FROM near
)
SELECT
    s.slug,
    s.title,
    s.holders,
    h.level,
    h.at,
    CAST(h.progress AS double precision) AS progress,
    CAST(h.goal AS double precision) AS goal,
    coalesce(d.doc #>> ARRAY['levels', CAST(h.level - CAST(h.at IS NOT NULL AS integer) AS text), 'title'], '')
    AS level_title,
    CASE
        WHEN json_array_length(d.doc -> 'objectives') = 1 AND d.doc #> '{strategy,normalization_factor}' IS NULL
            THEN d.doc #>> '{objectives,0,id}'
        ELSE ''
    END AS unit,
    coalesce(d.doc #>> '{objectives,0,rule,name}', '') AS rule,
    (SELECT count(*) FROM held) AS held
FROM shown h
JOIN shown_awards s ON s.id = h.award_id
CROSS JOIN LATERAL (SELECT CAST(s.document AS json) AS doc) d
ORDER BY h.at DESC NULLS LAST, h.progress / nullif(h.goal, 0) DESC, s.slug
