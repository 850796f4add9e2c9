-- Takes back the requests for accounts of a site that is not asked now.
WITH waiting AS MATERIALIZED (
    SELECT id FROM accounts
    WHERE site = @site AND state <> 'paused' AND requested_at IS NOT NULL
        AND (leased_until IS NULL OR leased_until <= @now)
        AND EXISTS (
            SELECT FROM site_circuits c
            WHERE c.site = @site AND (c.paused_at IS NOT NULL OR c.state <> 'closed'))
    ORDER BY id
    FOR NO KEY UPDATE SKIP LOCKED),
answered AS (
    UPDATE accounts a SET requested_at = NULL FROM waiting WHERE a.id = waiting.id
    RETURNING a.id, pg_notify(@progress, CAST(a.member_id AS text)))
SELECT id FROM answered ORDER BY id
