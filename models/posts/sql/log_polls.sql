-- Adds requests to the log, and what they cost to their credentials' day and month.
WITH given AS MATERIALIZED (
    SELECT credential_id, asked, found, missing, cost, took, outcome, message
    FROM unnest(
        CAST(@credentials AS bigint[]), CAST(@asked AS integer[]), CAST(@found AS integer[]),
        CAST(@missing AS integer[]), CAST(@cost AS integer[]), CAST(@took AS integer[]),
        CAST(@outcomes AS text[]), CAST(@messages AS text[])
    ) AS g(credential_id, asked, found, missing, cost, took, outcome, message)
),
costs AS (
    SELECT credential_id, count(*) AS requests, sum(found) AS posts, sum(cost) AS charged
    FROM given
    GROUP BY credential_id
),
days AS (
    INSERT INTO credential_days AS d (credential_id, day, requests, posts, charged)
    SELECT c.id, CAST(@today AS date), costs.requests, costs.posts, costs.charged
    FROM costs
    JOIN credentials c ON c.id = credential_id
    ON CONFLICT (credential_id, day) DO UPDATE
    SET requests = d.requests + EXCLUDED.requests,
        posts = d.posts + EXCLUDED.posts,
        charged = d.charged + EXCLUDED.charged
),
months AS (
    UPDATE credentials c
    SET budget_used = c.budget_used + costs.charged
    FROM costs
    WHERE c.id = costs.credential_id
        AND costs.charged > 0
        AND c.budget_month = date_trunc('month', CAST(@today AS date))
)
INSERT INTO post_polls (network, host, credential_id, at, asked, found, missing, outcome, message, took_ms)
SELECT @network, @host, c.id, @now, asked, found, missing, outcome, message, took
FROM given
LEFT JOIN credentials c ON c.id = credential_id
