-- What changed an award's objectives, those of former versions too, newest first. The lines
-- of award 0 are of events that came too late for their item.
SELECT
    l.id, l.at, coalesce(o.name, '') AS objective, l.source, l.key, l.event_id, l.reason,
    c.change ->> 1 AS was,
    c.change ->> 2 AS became
FROM (
    SELECT id, at, source, key, event_id, reason, changes
    FROM award_log
    WHERE member_id = @member
        AND (@before = 0 OR id < @before)
        AND (award_id = @award OR award_id = 0 AND source = ANY(CAST(@sources AS text[])))
    ORDER BY id DESC
    LIMIT @limit
) l
LEFT JOIN LATERAL json_array_elements(CAST(l.changes AS json)) WITH ORDINALITY c(change, n) ON true
LEFT JOIN objectives o ON o.id = CAST(c.change ->> 0 AS bigint)
ORDER BY l.id DESC, c.n
