-- Counts an account's submissions again, in one pass: a row for each status, and one for all.
WITH sums AS (
    SELECT
        status,
        count(*) AS n,
        count(DISTINCT problem_id) FILTER (WHERE status = 'AC') AS solved,
        max(submitted_at) AS newest
    FROM submissions
    WHERE account_id = @id
    GROUP BY GROUPING SETS ((status), ())
)
UPDATE account_stats
SET submissions = total.n,
    solved = total.solved,
    newest_at = total.newest,
    accepted = coalesce((SELECT n FROM sums WHERE status = 'AC'), 0),
    statuses = coalesce((SELECT jsonb_object_agg(status, n) FROM sums WHERE status IS NOT NULL), '{}')
FROM (SELECT n, solved, newest FROM sums WHERE status IS NULL) total
WHERE account_stats.account_id = @id
