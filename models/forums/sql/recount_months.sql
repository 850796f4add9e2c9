-- Counts again the months in which the moments @at lie. A month without messages goes.
WITH given AS (
    SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC') AS month
    FROM unnest(CAST(@at AS timestamptz[])) AS g(at)
),
counted AS (
    SELECT
        CAST(month AS date) AS month,
        (SELECT count(*) FROM messages WHERE forum_id = @forum AND placed_at >= month AT TIME ZONE 'UTC'
            AND placed_at < (month + interval '1 month') AT TIME ZONE 'UTC') AS n
    FROM given
),
gone AS (
    DELETE FROM forum_months f USING counted c WHERE f.forum_id = @forum AND f.month = c.month AND c.n = 0
)
INSERT INTO forum_months (forum_id, month, messages)
SELECT @forum, month, n FROM counted WHERE n > 0
ON CONFLICT (forum_id, month) DO UPDATE SET messages = EXCLUDED.messages
