-- Accounts of a site that are due, the longest overdue first.
SELECT account_id FROM account_schedule
WHERE site = @site AND state <> 'paused' AND requested_at IS NULL AND due_at <= @now
    AND (leased_until IS NULL OR leased_until <= @now) AND may_ask(@site, @now)
ORDER BY due_at, account_id
LIMIT @limit
FOR NO KEY UPDATE SKIP LOCKED
