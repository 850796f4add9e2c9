-- The endings of some scopes by what was known at @known: of the responses that were complete
-- for them, and of those that saw the rows of such a one again.
SELECT e.scope, r.at, e.reason
FROM archive_endings e
CROSS JOIN LATERAL (
    SELECT at, stored_at, withdrawn_at FROM archive_retrievals WHERE id = e.retrieval_id
    UNION ALL
    SELECT at, stored_at, withdrawn_at FROM archive_retrievals WHERE same_as = e.retrieval_id
) r
WHERE e.shard = @shard AND e.scope = ANY(CAST(@scopes AS bigint[]))
    AND r.stored_at <= @known AND (r.withdrawn_at IS NULL OR r.withdrawn_at > @known)
