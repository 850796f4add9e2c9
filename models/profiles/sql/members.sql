-- A page of the community, those who solved most first, with how their accounts are. @part is
-- any part of the name.
WITH page AS (
    SELECT
        m.id, m.name, m.display_name, m.custom, m.time_zone,
        coalesce(s.submissions, 0) AS submissions,
        coalesce(s.solved, 0) AS solved,
        coalesce(s.day_streak, 0) AS day_streak,
        s.last_day,
        s.newest_at
    FROM members m
    LEFT JOIN member_stats s ON s.member_id = m.id
    WHERE (m.name ILIKE @part OR m.display_name ILIKE @part) AND visible_to(@asking, m.id, m.audience)
    ORDER BY coalesce(s.solved, 0) DESC, m.id
    LIMIT @limit OFFSET @offset
)
SELECT
    p.id, p.name, p.display_name, p.custom, p.time_zone, p.submissions, p.solved, p.day_streak, p.last_day, p.newest_at,
    count(a.id) AS accounts,
    count(*) FILTER (WHERE a.leased_until > @now OR a.requested_at IS NOT NULL) AS running,
    count(*) FILTER (WHERE a.state = 'invalid') AS invalid,
    count(*) FILTER (WHERE a.state <> 'invalid' AND a.outcome NOT IN ('', 'ok')) AS failing,
    count(*) FILTER (WHERE a.state = 'new' AND a.outcome = '') AS unread,
    count(*) FILTER (WHERE a.state <> 'invalid' AND (a.missing > 0 OR a.unread > 0)) AS incomplete,
    min(a.complete_until) FILTER (WHERE a.state <> 'invalid' AND a.missing = 0) AS complete_until
FROM page p
LEFT JOIN account_details a ON a.member_id = p.id
GROUP BY
    p.id, p.name, p.display_name, p.custom, p.time_zone, p.submissions, p.solved, p.day_streak, p.last_day, p.newest_at
ORDER BY p.solved DESC, p.id
