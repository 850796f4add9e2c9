-- Accounts that were complete when the stream's coverage began, and that are due soon or complete only
-- until long before where the stream is.
SELECT s.account_id FROM account_schedule s
JOIN account_coverage c ON c.account_id = s.account_id
WHERE s.site = @site AND s.state = 'active' AND s.failures = 0 AND s.not_found = 0
    AND (s.leased_until IS NULL OR s.leased_until <= @now)
    AND c.missing = 0 AND c.complete_until >= @since AND (s.due_at <= @soon OR c.complete_until < @behind)
ORDER BY s.account_id
FOR NO KEY UPDATE OF s SKIP LOCKED
