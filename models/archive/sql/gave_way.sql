-- The facts of a shard that gave way at an instant to another response of it, each with the response
-- that was seen then.
SELECT y.retrieval_id, r.id, r.page_id, r.hash, y.fact
FROM archive_yielded y
CROSS JOIN LATERAL (
    SELECT id, page_id, hash
    FROM archive_retrievals
    WHERE id = y.retrieval_id AND at = y.at AND withdrawn_at IS NULL
    UNION ALL
    SELECT id, page_id, hash
    FROM archive_retrievals
    WHERE same_as = y.retrieval_id AND at = y.at AND withdrawn_at IS NULL
) r
WHERE y.shard = @shard AND y.at = @at AND NOT y.withdrawn
