-- When accounts are fetched next, and why. Nothing else writes due_at.
UPDATE accounts a
SET due_at = g.due, reason = g.reason, delay = g.delay, last_retrieved_at = g.retrieved, complete_until = g.covered
FROM unnest(CAST(@ids AS bigint[]), CAST(@dues AS timestamptz[]), CAST(@reasons AS text[]), CAST(@delays AS bigint[]),
    CAST(@retrieved AS timestamptz[]), CAST(@covered AS timestamptz[])) AS g(id, due, reason, delay, retrieved, covered)
WHERE a.id = g.id
