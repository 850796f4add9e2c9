-- The newest events of the bus, and the newest submissions, of which there are events only if an award counts them.
SELECT id, source, event_id, body, member
FROM (
    SELECT e.id, e.source, e.event_id, e.body, m.name AS member
    FROM event_positions p
    CROSS JOIN LATERAL (
        SELECT id, source, event_id, member_id, body
        FROM events e
        WHERE e.source = p.source AND e.part = p.part
        ORDER BY txid DESC, id DESC
        LIMIT 3
    ) e
    JOIN members m ON m.id = e.member_id
    WHERE p.source <> 'submissions'
    UNION ALL
    SELECT 0, 'submissions', s.site || '/' || s.site_id || '@' || s.account_id, '', m.name
    FROM (
        SELECT id, site, site_id, account_id, member_id, submitted_at
        FROM submissions
        ORDER BY submitted_at DESC, id DESC
        LIMIT 20
    ) s
    JOIN members m ON m.id = s.member_id AND NOT m.custom
) l
ORDER BY id DESC
LIMIT @limit
