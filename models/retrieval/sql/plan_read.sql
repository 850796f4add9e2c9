-- The accounts to plan, locked in the order in which everybody locks several.
SELECT a.*, m.time_zone
FROM accounts a
JOIN members m ON m.id = a.member_id
WHERE a.id = ANY(CAST(@ids AS bigint[]))
ORDER BY a.id
FOR NO KEY UPDATE OF a
