-- The rows of posts of which there are events, by the names of their items.
SELECT
    'item:' || e.item AS key, e.member_id, e.zone, e.at, e.arrived_at, e.status,
    event_body('posts', e.item, 0, e.name, e.type, e.object, e.status, e.at, e.facts) AS body
FROM unnest(CAST(@items AS text[])) AS g(item)
JOIN posts_events e ON e.network = split_part(g.item, '/', 1) AND e.host = split_part(g.item, '/', 2)
    AND e.external_id = substring(g.item FROM '^[^/]*/[^/]*/(.*)$')
