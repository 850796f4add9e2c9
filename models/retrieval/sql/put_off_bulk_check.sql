-- When accounts are asked about again: the dormant ones of those that have nothing new
-- later. They are locked in this order, as others lock several.
WITH mine AS MATERIALIZED (
    SELECT s.account_id FROM account_schedule s
    WHERE s.account_id = ANY(CAST(@all AS bigint[]))
    ORDER BY s.account_id
    FOR NO KEY UPDATE),
quiet AS (
    SELECT a.id FROM accounts a
    JOIN account_stats t ON t.account_id = a.id
    WHERE a.id = ANY(CAST(@quiet AS bigint[])) AND coalesce(t.newest_at, a.created_at) < @dormant)
UPDATE account_schedule s
SET checked_at = greatest(checked_at, CAST(@now AS timestamptz))
    + CASE WHEN s.account_id IN (SELECT id FROM quiet) THEN CAST(@later AS interval) ELSE '0' END
FROM mine
WHERE s.account_id = mine.account_id
