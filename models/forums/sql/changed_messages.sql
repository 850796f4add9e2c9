-- Messages that changed, or whose members are others than before: for who has each now and for who
-- had it.
SELECT b.id AS member_id, f.slug || '/' || m.serial AS item
FROM unnest(CAST(@serials AS bigint[]), CAST(@had AS bigint[])) AS g(serial, had)
JOIN messages m ON m.serial = g.serial
JOIN forums f ON f.id = m.forum_id
JOIN members b ON b.id IN (m.member_id, g.had) AND NOT b.custom
ORDER BY m.serial
