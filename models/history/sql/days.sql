-- A member's days as they were counted at an instant: with the rows that had been read when
-- each site was last fetched before it (@sites, @seen), as these were then, and what the site
-- counted beyond them: see count_days.sql.
WITH known AS (
    SELECT a.id AS account_id, k.site, k.at
    FROM unnest(CAST(@sites AS text[]), CAST(@seen AS timestamptz[])) AS k(site, at)
    JOIN accounts a ON a.member_id = @member AND a.site = k.site
),
rows AS MATERIALIZED (
    SELECT
        k.account_id,
        coalesce(CAST(o.was ->> 'submitted_at' AS timestamptz), s.submitted_at) AS at,
        coalesce(o.was ->> 'status', s.status) AS status
    FROM known k
    JOIN submissions s ON s.account_id = k.account_id
    CROSS JOIN LATERAL (SELECT submission_at(s.past, k.at) AS was) o
    WHERE s.member_id = @member
        AND s.first_seen_at <= k.at
        AND s.submitted_at > CAST(@since AS timestamptz) - interval '3 days'
),
listed AS (
    SELECT
        CAST(at AT TIME ZONE @zone AS date) AS day,
        count(*) AS submissions,
        count(*) FILTER (WHERE status = 'AC') AS accepted
    FROM rows
    GROUP BY 1
),
stored AS (
    SELECT account_id, CAST(at AT TIME ZONE 'UTC' AS date) AS day, count(*) AS n
    FROM rows
    GROUP BY 1, 2
),
reported AS (
    SELECT
        k.account_id,
        r.day,
        coalesce(CAST(submission_at(r.past, k.at) ->> 'submissions' AS integer), r.submissions) AS n
    FROM known k
    JOIN reported_days r ON r.account_id = k.account_id
    WHERE r.day >= CAST(@since AS date) AND r.seen_at <= k.at
),
undetailed AS (
    SELECT r.day, sum(r.n - coalesce(s.n, 0)) AS n
    FROM reported r
    LEFT JOIN stored s USING (account_id, day)
    WHERE r.n > coalesce(s.n, 0)
    GROUP BY r.day
)
SELECT
    day,
    coalesce(l.submissions, 0) + coalesce(u.n, 0) AS submissions,
    coalesce(l.accepted, 0) AS accepted,
    coalesce(u.n, 0) AS undetailed
FROM listed l
FULL JOIN undetailed u USING (day)
WHERE day >= @since
ORDER BY day
