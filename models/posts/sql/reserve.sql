-- Takes at most @n requests off the quota of a credential of a pool, the one with most
-- left, and off its month's budget the @batch posts that each request may bring.
WITH best AS MATERIALIZED (
    SELECT
        c.id,
        fresh,
        base,
        spent,
        least(@n, (c.monthly_posts - spent) / @batch, base - c.quota / @reserve) AS got
    FROM credentials c
    CROSS JOIN LATERAL (SELECT c.reset_at IS NULL OR c.reset_at <= @now AS fresh) f
    CROSS JOIN LATERAL (SELECT CASE WHEN fresh THEN c.quota ELSE c.remaining END AS base) b
    CROSS JOIN LATERAL (
        -- Posts of the month that were paid for, or may have to be for what is under way. What
        -- somebody reserved who died is forgotten when nobody has reserved since @idle.
        SELECT CASE
            WHEN c.budget_month = CAST(@month AS date) AND c.used_at > @idle THEN c.budget_used
            ELSE (
                SELECT CAST(coalesce(sum(charged), 0) AS bigint)
                FROM credential_days d
                WHERE d.credential_id = c.id AND d.day >= CAST(@month AS date)
            )
        END AS spent
    ) s
    WHERE c.network = @network
        AND c.host = @host
        AND c.state = 'active'
        AND (c.cooldown_until IS NULL OR c.cooldown_until <= @now)
        AND (c.reset_at IS NULL OR c.reset_at <= @now OR c.remaining > c.quota / @reserve)
        AND (c.monthly_posts IS NULL OR c.monthly_posts - @batch >= spent)
    ORDER BY base DESC, c.id
    LIMIT 1
    FOR UPDATE OF c
)
UPDATE credentials c
SET used_at = @now,
    reset_at = CASE
        WHEN fresh THEN CAST(@now AS timestamptz) + c.window_seconds * interval '1 second' ELSE c.reset_at
    END,
    remaining = base - got,
    budget_month = CASE WHEN c.monthly_posts IS NOT NULL THEN CAST(@month AS date) END,
    budget_used = CASE WHEN c.monthly_posts IS NULL THEN 0 ELSE spent + got * @batch END
FROM best
WHERE c.id = best.id
RETURNING
    c.id, c.network, c.host, c.name, c.token, c.legacy, c.fields, c.state, c.reason, c.cooldown_until, c.quota,
    c.window_seconds, c.remaining, c.reset_at, c.failures, c.monthly_posts, c.budget_month, c.budget_used, c.used_at,
    c.created_at, got
