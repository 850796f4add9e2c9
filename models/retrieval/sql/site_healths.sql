-- How retrieval of every site goes: requests and outcomes of the last hour and the running
-- one, the queue, and the end of a Retry-After.
WITH hours AS (
    SELECT site, min(first_at) FILTER (WHERE failed) AS first_failure,
        max(last_at) FILTER (WHERE NOT failed) AS last_success,
        max(last_at) FILTER (WHERE failed) AS last_failure,
        sum(requests) FILTER (WHERE recent) AS requests,
        sum(retrievals) FILTER (WHERE recent) AS retrievals,
        sum(retrievals) FILTER (WHERE recent AND failed) AS failures,
        sum(new_rows) FILTER (WHERE recent) AS new_rows
    FROM (
        SELECT site, first_at, last_at, requests, retrievals, new_rows,
            outcome NOT IN ('ok', 'not_found') AS failed,
            hour > CAST(@now AS timestamptz) - interval '2 hours' AS recent
        FROM site_hours) h
    GROUP BY site),
queues AS (
    SELECT site, count(*) AS accounts, count(*) FILTER (WHERE state = 'invalid') AS invalid,
        count(*) FILTER (WHERE state = 'paused') AS paused, count(*) FILTER (WHERE leased_until > @now) AS running,
        count(*) FILTER (WHERE waits) AS queue, min(coalesce(requested_at, due_at)) FILTER (WHERE waits) AS oldest_due
    FROM (
        SELECT site, state, leased_until, requested_at, due_at,
            state <> 'paused' AND (requested_at IS NOT NULL OR due_at <= @now) AS waits
        FROM account_schedule) s
    GROUP BY site)
SELECT site, coalesce(accounts, 0) AS accounts, coalesce(invalid, 0) AS invalid, coalesce(paused, 0) AS paused,
    coalesce(running, 0) AS running, last_success, last_failure,
    CASE WHEN last_failure > coalesce(last_success, '-infinity') THEN coalesce(last_success, first_failure) END
        AS failing_since,
    coalesce(worst.outcome, '') AS outcome, coalesce(worst.message, '') AS message,
    coalesce(requests, 0) AS requests, coalesce(retrievals, 0) AS retrievals, coalesce(failures, 0) AS failures,
    coalesce(new_rows, 0) AS new_rows, coalesce(queue, 0) AS queue, oldest_due, t.next_at AS closed_until
FROM hours
FULL JOIN queues USING (site)
LEFT JOIN LATERAL (
    SELECT outcome, message FROM site_hours w
    WHERE w.site = coalesce(hours.site, queues.site) AND outcome NOT IN ('ok', 'not_found')
    ORDER BY last_at DESC
    LIMIT 1) worst ON true
LEFT JOIN request_slots t ON t.key = 'source:' || site AND t.next_at > CAST(@now AS timestamptz) + interval '10 seconds'
ORDER BY site
