-- How the work goes on @sites: queues, counted up to @most, and when checks last ran. Each part
-- reads an index up to that many rows, or the newest row; nothing is counted as a whole.
SELECT
    q.accounts,
    q.oldest,
    (
        SELECT count(*)
        FROM (
            SELECT
            FROM event_positions p
            JOIN events e ON e.source = p.source AND e.part = p.part AND (e.txid, e.id) > (p.txid, p.id)
            LIMIT @most
        ) few
    ) AS events,
    (SELECT count(*) FROM (SELECT FROM award_pending LIMIT @most) few) AS awards,
    (SELECT count(*) FROM (SELECT FROM notice_deliveries WHERE state = 'waiting' LIMIT @most) few) AS notices,
    (
        SELECT count(*)
        FROM (
            SELECT
            FROM notice_deliveries
            WHERE state <> 'waiting' AND state = 'failed' AND ended_at > CAST(@now AS timestamptz) - interval '1 day'
            LIMIT @most
        ) few
    ) AS failed,
    (SELECT count(*) FROM forums WHERE next_run_at <= @now OR kicked_at IS NOT NULL) AS forums,
    (SELECT count(*) FROM site_alarms WHERE closed_at IS NULL) AS alarms,
    (SELECT count(*) FROM (SELECT FROM event_dead LIMIT @most) few) AS dead,
    pg_database_size(current_database()) AS bytes,
    a.started_at AS archive_checked,
    coalesce(a.total, 0) AS archive_findings,
    (SELECT started_at FROM award_checks ORDER BY id DESC LIMIT 1) AS awards_checked,
    (
        SELECT max(last_at)
        FROM site_hours
        WHERE site = ANY (CAST(@sites AS text[])) AND outcome IN ('ok', 'not_found')
    ) AS retrieved
FROM (
    SELECT coalesce(sum(n), 0) AS accounts, min(first) AS oldest
    FROM unnest(CAST(@sites AS text[])) s (site)
    CROSS JOIN LATERAL (
        SELECT count(*) AS n, min(due_at) AS first
        FROM (
            SELECT due_at
            FROM account_schedule
            WHERE site = s.site AND due_at <= @now AND state <> 'paused' AND requested_at IS NULL
            ORDER BY due_at
            LIMIT @most
        ) few
    ) due
) q
LEFT JOIN (SELECT started_at, total FROM archive_checks ORDER BY id DESC LIMIT 1) a ON true
