-- Takes one more request off the quota of a credential, and off its budget the posts that
-- it may bring beside those that were reserved.
UPDATE credentials c
SET used_at = @now,
    reset_at = CASE
        WHEN fresh THEN CAST(@now AS timestamptz) + window_seconds * interval '1 second' ELSE c.reset_at
    END,
    remaining = CASE WHEN fresh THEN quota ELSE remaining END - 1,
    budget_used = budget_used + CASE WHEN budget_month IS NULL THEN 0 ELSE @posts END
FROM (SELECT id, reset_at IS NULL OR reset_at <= @now AS fresh FROM credentials WHERE id = @id FOR UPDATE) o
WHERE c.id = o.id
    AND state = 'active'
    AND (cooldown_until IS NULL OR cooldown_until <= @now)
    AND (fresh OR remaining > quota / @reserve)
    AND (budget_month IS NULL OR monthly_posts IS NULL OR monthly_posts - @posts >= budget_used)
