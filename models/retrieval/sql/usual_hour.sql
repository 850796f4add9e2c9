-- Counts the usual hour of an account again: the hour of UTC at the beginning of which a daily
-- retrieval finds the submissions since @since youngest. Null: there are too few.
WITH hours AS (
    SELECT CAST(extract(hour FROM submitted_at AT TIME ZONE 'UTC') AS integer) AS hour, count(*) AS n
    FROM submissions
    WHERE member_id = @member AND account_id = @id AND submitted_at > @since AND submitted_at <= @now
    GROUP BY hour),
usual AS (
    SELECT at FROM hours, generate_series(0, 23) at
    GROUP BY at HAVING sum(n) >= @least ORDER BY sum(n * ((at - hour + 23) % 24)), at LIMIT 1)
UPDATE account_schedule SET usual_hour = (SELECT at FROM usual) WHERE account_id = @id
RETURNING usual_hour
