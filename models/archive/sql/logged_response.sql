-- A response of the log, with its page and the groups of rows that it could touch.
SELECT
    r.id,
    coalesce(r.same_as, r.id) AS base,
    r.page_id,
    p.source,
    p.address,
    p.viewer,
    r.at,
    r.outcome,
    r.hash,
    r.facts,
    r.altered,
    r.withdrawn_at,
    coalesce(r.superseded_by, 0) AS superseded_by,
    coalesce(r.withdrawn_by, 0) AS withdrawn_by,
    array_to_json(coalesce(b.locks, r.locks)) AS locks
FROM archive_retrievals r
JOIN archive_pages p ON p.id = r.page_id
LEFT JOIN archive_retrievals b ON b.id = r.same_as
WHERE r.id = @id
