-- Adds what a credential was used for to its UTC day, and what it paid for to the month
-- that is counted; log_polls does the same for many requests.
WITH day AS (
    INSERT INTO credential_days AS d (credential_id, day, requests, posts, charged)
    SELECT c.id, CAST(@today AS date), CAST(@requests AS bigint), CAST(@posts AS bigint), CAST(@charged AS bigint)
    FROM credentials c
    WHERE c.id = @id
    ON CONFLICT (credential_id, day) DO UPDATE
    SET requests = d.requests + EXCLUDED.requests,
        posts = d.posts + EXCLUDED.posts,
        charged = d.charged + EXCLUDED.charged
)
UPDATE credentials
SET budget_used = budget_used + @charged
WHERE id = @id AND @charged > 0 AND budget_month = date_trunc('month', CAST(@today AS date))
