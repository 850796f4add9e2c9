-- The account that is tried: one that is due and known to exist, if possible one with submissions,
-- because an empty list proves little, and of these the one that was tried longest ago. A trial goes
-- on while the account's lease is renewed.
WITH ready AS MATERIALIZED ( -- Locked first, so that a second process does not try a second account.
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
