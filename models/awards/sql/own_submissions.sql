-- The rows of submissions of which there are events, by the names of their items.
SELECT
    'item:' || e.item AS key, e.member_id, e.zone, e.at, e.arrived_at, e.status,
    event_body('submissions', e.item, 0, e.name, e.type, e.object, e.status, e.at, e.facts) AS body
FROM unnest(CAST(@items AS text[])) AS g(item)
JOIN submissions_events e ON e.account_id = CAST(substring(g.item FROM '[0-9]+$') AS bigint)
    AND e.site_id = substring(g.item FROM '/(.*)@[0-9]+$')
