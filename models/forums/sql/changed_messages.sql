-- Messages whose members are others than before, as events: of who has each now, or else of
-- who had it, where it is deleted.
SELECT
    b.id AS member_id,
    b.name,
    b.time_zone AS zone,
    f.slug || '/' || m.serial AS item,
    'message' AS type,
    f.slug AS object,
    CASE WHEN b.id = m.member_id THEN 'active' ELSE 'deleted' END AS status,
    coalesce(least(m.sent_at, CAST(@at AS timestamptz)), CAST(@at AS timestamptz)) AS at,
    json_build_object(
        'forum', f.slug, 'subject', m.subject, 'text', left(m.body, 2000), 'reply', m.in_reply_to <> '', 'url', m.url
    ) AS facts
FROM unnest(CAST(@serials AS bigint[]), CAST(@had AS bigint[])) AS g(serial, had)
JOIN messages m ON m.serial = g.serial
JOIN forums f ON f.id = m.forum_id
LEFT JOIN members n ON n.id = m.member_id AND NOT n.custom
JOIN members b ON b.id = coalesce(n.id, g.had) AND NOT b.custom
ORDER BY m.serial
