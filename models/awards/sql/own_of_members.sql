-- The own rows of members, one of every @every, behind @after and up to @last, each with what the ledger keeps of it.
SELECT
    o.source, 'item:' || o.item AS key, o.member_id, o.zone, o.at, o.arrived_at, o.status,
    event_body(o.source, o.item, 0, o.name, o.type, o.object, o.status, o.at, o.facts) AS body,
    coalesce(i.member_id, 0) AS kept_for, coalesce(i.at, o.at) AS kept_at,
    coalesce(i.contributions, '[]') AS contributions, coalesce(i.rev, 0) AS rev
FROM own_items o
LEFT JOIN items i ON i.key = 'item:' || o.item AND i.source = o.source
WHERE o.member_id > @after AND o.member_id <= @last AND o.member_id % @every = 0
    AND (@any OR o.source = ANY(CAST(@sources AS text[])))
