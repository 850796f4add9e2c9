-- A member's items of @sources behind a place, newest first. Own rows come without what they say, which is
-- read for those that are shown; what others sent comes whole.
SELECT
    i.source, i.key, i.at, coalesce(k.event_id, '') AS event_id, coalesce(k.status, '') AS status,
    coalesce(k.zone, '') AS zone, coalesce(k.arrived_at, i.at) AS arrived_at, coalesce(k.body, '') AS body,
    coalesce(k.contributions, '[]') AS contributions
FROM (
    SELECT source, key, at
    FROM (
        SELECT source, 'item:' || item AS key, member_id, at FROM own_items
        UNION ALL
        SELECT source, key, member_id, at FROM items WHERE body <> ''
    ) a
    WHERE member_id = @member AND source = ANY(CAST(@sources AS text[]))
        AND (@first OR (at, source, key) < (@at, @source, @key))
    ORDER BY at DESC, source DESC, key DESC
    LIMIT @limit
) i
LEFT JOIN items k ON k.key = i.key AND k.source = i.source
ORDER BY i.at DESC, i.source DESC, i.key DESC
