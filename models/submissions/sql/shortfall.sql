-- Compares what a site has counted by day with what is stored of an account: all that is stored, and
-- what is short on which days. Where it shows no day now, none is known to be short.
WITH reported AS (SELECT day, submissions AS n FROM reported_days WHERE account_id = @id AND CAST(@shown AS boolean)),
stored AS (
    SELECT CAST(submitted_at AT TIME ZONE 'UTC' AS date) AS day, count(*) AS n FROM submissions
    WHERE account_id = @id
    GROUP BY day),
short AS (
    SELECT r.day, r.n - coalesce(stored.n, 0) AS n FROM reported r
    LEFT JOIN stored USING (day)
    WHERE r.n > coalesce(stored.n, 0))
SELECT (SELECT coalesce(sum(n), 0) FROM stored) AS stored, coalesce(sum(n), 0) AS short, min(day) AS first,
    max(day) AS last
FROM short
