-- For each of some scopes, the responses at @at that were complete for it, and the first
-- one after: those of the log, and those that saw the rows of such a one again. Withdrawn
-- ones ended nothing.
SELECT k AS scope, e.at, e.reason
FROM unnest(CAST(@scopes AS bigint[])) k, LATERAL (
    (
        SELECT e.at, e.reason
        FROM archive_endings e
        JOIN archive_retrievals r ON r.id = e.retrieval_id AND r.withdrawn_at IS NULL
        WHERE e.shard = @shard AND e.scope = k AND e.at = @at
    )
    UNION ALL
    (
        SELECT e.at, e.reason
        FROM archive_endings e
        JOIN archive_retrievals r ON r.id = e.retrieval_id AND r.withdrawn_at IS NULL
        WHERE e.shard = @shard AND e.scope = k AND e.at > @at
        ORDER BY e.at, e.reason
        LIMIT 1
    )
    UNION ALL
    (
        SELECT r.at, e.reason
        FROM archive_endings e
        JOIN archive_retrievals r ON r.same_as = e.retrieval_id
        WHERE e.shard = @shard AND e.scope = k AND r.at = @at AND r.withdrawn_at IS NULL
    )
    UNION ALL
    (
        SELECT r.at, e.reason
        FROM archive_endings e
        JOIN archive_retrievals r ON r.same_as = e.retrieval_id
        WHERE e.shard = @shard AND e.scope = k AND r.at > @at AND r.withdrawn_at IS NULL
        ORDER BY r.at, e.reason
        LIMIT 1
    )
) e
