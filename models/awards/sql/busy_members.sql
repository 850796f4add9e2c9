-- Members behind @after and up to @last about whose own rows an event waits, or was put aside.
SELECT e.member_id
FROM event_positions p
JOIN events e ON e.source = p.source AND e.part = p.part AND (e.txid, e.id) > (p.txid, p.id)
WHERE p.source = ANY(CAST(@own AS text[])) AND e.member_id > @after AND e.member_id <= @last
UNION
SELECT member_id
FROM event_dead
WHERE source = ANY(CAST(@own AS text[])) AND member_id > @after AND member_id <= @last
ORDER BY 1
