-- The rows of days of which there are events, by the names of their items.
SELECT
    'item:' || e.item AS key, e.member_id, e.zone, e.at, e.arrived_at, e.status,
    event_body('days', e.item, 0, e.name, e.type, e.object, e.status, e.at, e.facts) AS body
FROM unnest(CAST(@items AS text[])) AS g(item)
JOIN days_events e ON e.member_id = CAST(substring(g.item FROM '[0-9]+$') AS bigint)
    AND e.day = CAST(split_part(g.item, '@', 1) AS date)
