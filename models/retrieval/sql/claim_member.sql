-- A member's accounts that are requested.
SELECT account_id FROM account_schedule
WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @member)
    AND state <> 'paused' AND requested_at IS NOT NULL AND (leased_until IS NULL OR leased_until <= @now)
    AND site NOT IN (SELECT site FROM suspended_sites)
ORDER BY account_id
FOR NO KEY UPDATE SKIP LOCKED
