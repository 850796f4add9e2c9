-- Reports behind an id, the newest first: those that wait for an answer, or those that have one (@resolved);
-- of members, or of visitors (@visitors).
SELECT
    r.id, r.text, r.at, r.resolved_at, r.resolved_by, r.note, r.serial, r.visitor IS NOT NULL AS visitor,
    coalesce(w.name, '') AS reporter,
    coalesce(m.name, '') AS member,
    coalesce(nullif(s.subject, ''), '(no subject)') AS subject
FROM reports r
LEFT JOIN members w ON w.id = r.reporter_id AND visible_to(@asking, w.id, w.audience)
LEFT JOIN members m ON m.id = r.member_id AND visible_to(@asking, m.id, m.audience)
LEFT JOIN messages s ON s.serial = r.serial
WHERE (r.resolved_at IS NOT NULL) = @resolved AND (r.visitor IS NOT NULL) = @visitors
    AND (@before = 0 OR r.id < @before)
ORDER BY r.id DESC
LIMIT @limit
