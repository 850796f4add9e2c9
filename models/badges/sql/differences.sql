-- What differs between the badges of members behind @after and up to @last and the log of grants: a badge that is
-- missing, or another's, or of another line, date or version, or revoked in spite of the log, or made twice; and
-- superseded badges that do not lead to a badge of the same line.
WITH lines AS (
    SELECT
        l.id, l.grant_id, l.what, l.at, g.member_id, g.granted_at, g.award_version,
        concat(
            'badge of level ', g.level, ' of award ', a.slug, CASE WHEN g.period <> '' THEN ' from ' || g.period END
        ) AS badge
    FROM award_grants g
    JOIN awards a ON a.id = g.award_id
    JOIN award_grant_lines l ON l.grant_id = g.id AND l.what IN ('granted', 'granted again')
    WHERE g.member_id > @after AND g.member_id <= @last
),
shown AS (
    SELECT
        l.member_id, l.badge, l.grant_id, l.award_version AS level_version,
        b.id, b.grant_id AS of_grant, b.granted_at, b.award_version, b.revoked_at,
        row_number() OVER (
            PARTITION BY l.id
            ORDER BY
                b.granted_at <> CASE l.what WHEN 'granted' THEN l.granted_at ELSE l.at END, b.made_at NULLS FIRST, b.id
        ) AS nth,
        CASE l.what WHEN 'granted' THEN l.granted_at ELSE l.at END AS right_at,
        v.number IS NOT NULL AS known
    FROM lines l
    JOIN badges b ON b.log_id = l.id AND b.superseded_by IS NULL
    JOIN award_grants g ON g.id = l.grant_id
    LEFT JOIN award_versions v ON v.award_id = g.award_id AND v.number = b.award_version
)
SELECT member_id AS member, badge AS what, 'none' AS is, 'made' AS should, false AS takes
FROM lines
WHERE id <= (SELECT log_id FROM badge_position) AND NOT EXISTS (
        SELECT FROM badges b WHERE b.log_id = lines.id AND b.superseded_by IS NULL
    )
UNION ALL
SELECT member_id, badge, 'there ' || nth || ' times', 'there once', true
FROM shown
WHERE nth > 1
UNION ALL
SELECT member_id, 'grant of ' || badge, coalesce(CAST(of_grant AS text), 'none'), CAST(grant_id AS text), false
FROM shown
WHERE nth = 1 AND of_grant IS DISTINCT FROM grant_id
UNION ALL
SELECT member_id, badge, 'revoked by itself', 'as the log of grants says', false
FROM shown
WHERE nth = 1 AND revoked_at IS NOT NULL
UNION ALL
SELECT member_id, 'date of ' || badge, CAST(granted_at AS text), CAST(right_at AS text), false
FROM shown
WHERE nth = 1 AND granted_at <> right_at
UNION ALL
SELECT member_id, 'version of ' || badge, CAST(award_version AS text), CAST(level_version AS text), false
FROM shown
WHERE nth = 1 AND NOT known
UNION ALL
SELECT g.member_id, 'superseded badge ' || o.id, 'superseded by a badge of another line', 'by one of its own', false
FROM award_grants g
JOIN badges o ON o.grant_id = g.id AND o.superseded_by IS NOT NULL
JOIN badges n ON n.id = o.superseded_by
WHERE g.member_id > @after AND g.member_id <= @last
    AND (n.log_id <> o.log_id OR n.grant_id IS DISTINCT FROM o.grant_id)
ORDER BY 1, 2
