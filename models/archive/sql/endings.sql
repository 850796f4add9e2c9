-- For each of some scopes, the responses at @at that were complete for it, and the first
-- one after: those of the log, and those that saw the rows of such a one again.
SELECT k AS scope, e.at, e.reason
FROM unnest(CAST(@scopes AS bigint[])) k, LATERAL (
    (SELECT at, reason FROM archive_endings WHERE shard = @shard AND scope = k AND at = @at)
    UNION ALL
    (
        SELECT at, reason
        FROM archive_endings
        WHERE shard = @shard AND scope = k AND at > @at
        ORDER BY at, reason
        LIMIT 1
    )
    UNION ALL
    (
        SELECT r.at, e.reason
        FROM archive_endings e
        JOIN archive_retrievals r ON r.same_as = e.retrieval_id
        WHERE e.shard = @shard AND e.scope = k AND r.at = @at
    )
    UNION ALL
    (
        SELECT r.at, e.reason
        FROM archive_endings e
        JOIN archive_retrievals r ON r.same_as = e.retrieval_id
        WHERE e.shard = @shard AND e.scope = k AND r.at > @at
        ORDER BY r.at, e.reason
        LIMIT 1
    )
) e
