-- The account that is tried: of those that are due one that is known to exist, rather one
-- that has rows, for an empty list proves little, and of those the one asked longest ago. A
-- fetch that outlasts its first lease goes on with the account's.
WITH ready AS MATERIALIZED ( -- Who comes second must not choose the second best.
    SELECT site FROM site_circuits
    WHERE site = @site AND paused_at IS NULL
        AND (state = 'open' AND next_try_at <= @now
            OR state = 'half_open' AND trial_until <= @now AND NOT EXISTS (
                SELECT FROM account_schedule l WHERE l.account_id = trial_account AND l.leased_until > @now))
    FOR UPDATE SKIP LOCKED),
tried AS MATERIALIZED (
    SELECT s.account_id FROM account_schedule s
    JOIN account_stats t ON t.account_id = s.account_id
    WHERE s.site = @site AND s.state <> 'paused' AND s.due_at <= @now
        AND (s.leased_until IS NULL OR s.leased_until <= @now) AND EXISTS (SELECT FROM ready)
    ORDER BY s.state = 'invalid', s.last_retrieved_at IS NULL, t.submissions = 0, s.last_attempt_at NULLS FIRST,
        s.account_id
    LIMIT 1
    FOR NO KEY UPDATE OF s SKIP LOCKED)
UPDATE site_circuits c SET state = 'half_open', trial_account = tried.account_id, trial_until = @until
FROM tried, ready
WHERE c.site = ready.site
RETURNING c.trial_account
