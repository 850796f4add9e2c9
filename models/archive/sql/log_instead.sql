-- Adds to the log what a response shows without some of its facts, with the scopes that it shows
-- completely.
WITH logged AS (
    INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, hash, facts, altered, locks)
    SELECT r.page_id, r.at, @now, r.outcome, @hash, @facts, r.altered, coalesce(b.locks, r.locks)
    FROM archive_retrievals r
    LEFT JOIN archive_retrievals b ON b.id = r.same_as
    WHERE r.id = @id
    RETURNING id, page_id, archive_line(archive_retrievals) AS line
),
head AS (
    INSERT INTO archive_heads AS h (page_id, sum)
    SELECT page_id, archive_sum(line) FROM logged
    ON CONFLICT (page_id) DO UPDATE SET sum = h.sum # EXCLUDED.sum
),
endings AS (
    INSERT INTO archive_endings (retrieval_id, shard, scope, at, reason)
    SELECT logged.id, e.shard, e.scope, @at, e.reason
    FROM archive_endings e
    CROSS JOIN logged
    WHERE e.retrieval_id = @base
)
SELECT id FROM logged
