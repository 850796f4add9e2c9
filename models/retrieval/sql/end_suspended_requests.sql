-- Ends the requests for accounts of a site that is not asked now, and returns the accounts.
WITH waiting AS MATERIALIZED (
    SELECT account_id FROM account_schedule
    WHERE site = @site AND state <> 'paused' AND requested_at IS NOT NULL
        AND (leased_until IS NULL OR leased_until <= @now)
        AND EXISTS (SELECT FROM suspended_sites s WHERE s.site = @site)
    ORDER BY account_id
    FOR NO KEY UPDATE SKIP LOCKED),
answered AS (
    UPDATE account_schedule s SET requested_at = NULL
    FROM waiting, accounts a
    WHERE s.account_id = waiting.account_id AND a.id = waiting.account_id
    RETURNING s.account_id, pg_notify(@progress, CAST(a.member_id AS text)))
SELECT account_id FROM answered ORDER BY account_id
