-- For each of some scopes of a shard and instants, why the pages that were complete for the scope
-- at that instant ended what they no longer showed: those of the log, and those that saw
-- such a one again.
SELECT DISTINCT g.n, e.reason
FROM
    unnest(CAST(@scopes AS bigint[]), CAST(@at AS timestamptz[])) WITH ORDINALITY AS g(scope, at, n),
    LATERAL (
        SELECT e.reason
        FROM archive_endings e
        JOIN archive_retrievals r ON r.id = e.retrieval_id AND r.withdrawn_at IS NULL
        WHERE e.shard = @shard AND e.scope = g.scope AND e.at = g.at
        UNION ALL
        SELECT e.reason
        FROM archive_retrievals r
        JOIN archive_retrievals b ON b.id = r.same_as
        JOIN archive_endings e
            ON e.shard = @shard AND e.scope = g.scope AND e.at = b.at AND e.retrieval_id = b.id
        WHERE r.at = g.at AND r.withdrawn_at IS NULL
    ) e
