-- A member's items that contribute to objectives, by their ids in a pattern, behind a place, newest first. Own rows
-- come without what they say, which is read for those that are shown.
SELECT
    source, key, at, event_id, status, zone, arrived_at, body, contributions
FROM items
WHERE member_id = @member AND contributions ~ @objectives AND (@first OR (at, source, key) < (@at, @source, @key))
ORDER BY at DESC, source DESC, key DESC
LIMIT @limit
