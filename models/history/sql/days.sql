-- A member's days as they were counted at an instant: with the rows that had been read when
-- each site was last fetched before it (@sites, @seen), as these were then.
SELECT
    CAST(at AT TIME ZONE @zone AS date) AS day,
    count(*) AS submissions,
    count(*) FILTER (WHERE status = 'AC') AS accepted
FROM (
    SELECT
        coalesce(CAST(o.was ->> 'submitted_at' AS timestamptz), s.submitted_at) AS at,
        coalesce(o.was ->> 'status', s.status) AS status
    FROM submissions s
    JOIN unnest(CAST(@sites AS text[]), CAST(@seen AS timestamptz[])) AS k(site, at) ON k.site = s.site
    CROSS JOIN LATERAL (SELECT submission_at(s.past, k.at) AS was) o
    WHERE s.member_id = @member
        AND s.first_seen_at <= k.at
        AND s.submitted_at > CAST(@since AS timestamptz) - interval '3 days'
) t
WHERE CAST(at AT TIME ZONE @zone AS date) >= @since
GROUP BY day
ORDER BY day
