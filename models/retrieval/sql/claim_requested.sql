-- Accounts of a site that are requested, in the order of the requests.
SELECT account_id FROM account_schedule
WHERE site = @site AND state <> 'paused' AND requested_at IS NOT NULL
    AND (leased_until IS NULL OR leased_until <= @now OR page <= 1 AND started_at < requested_at)
    AND NOT EXISTS (SELECT FROM suspended_sites s WHERE s.site = @site)
ORDER BY requested_at, account_id
LIMIT @limit
FOR NO KEY UPDATE SKIP LOCKED
