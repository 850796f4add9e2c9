-- Counts a member's days from the day before that of @from on (null: all). Rows are chosen
-- by their day; the moment, with some room, is for the index alone. What a site counts on a day
-- of UTC beyond the rows that it lists stands on the member's day of that date.
WITH first AS (SELECT CAST(CAST(@from AS timestamptz) AT TIME ZONE @zone AS date) - 1 AS day),
listed AS (
    SELECT
        CAST(submitted_at AT TIME ZONE @zone AS date) AS day,
        count(*) AS submissions,
        count(*) FILTER (WHERE status = 'AC') AS accepted
    FROM submissions
    WHERE member_id = @member
        AND (
            CAST(@from AS timestamptz) IS NULL
            OR (
                submitted_at > CAST(@from AS timestamptz) - interval '3 days'
                AND CAST(submitted_at AT TIME ZONE @zone AS date) >= (SELECT day FROM first)
            )
        )
    GROUP BY 1
),
reported AS (
    SELECT r.account_id, r.day, r.submissions
    FROM accounts a
    JOIN reported_days r ON r.account_id = a.id
    WHERE a.member_id = @member AND (CAST(@from AS timestamptz) IS NULL OR r.day >= (SELECT day FROM first))
),
stored AS (
    SELECT account_id, CAST(submitted_at AT TIME ZONE 'UTC' AS date) AS day, count(*) AS n
    FROM submissions
    WHERE account_id IN (SELECT account_id FROM reported)
        AND member_id = @member
        AND (CAST(@from AS timestamptz) IS NULL OR submitted_at > CAST(@from AS timestamptz) - interval '3 days')
    GROUP BY 1, 2
),
undetailed AS (
    SELECT r.day, sum(r.submissions - coalesce(s.n, 0)) AS n
    FROM reported r
    LEFT JOIN stored s USING (account_id, day)
    WHERE r.submissions > coalesce(s.n, 0)
    GROUP BY r.day
)
INSERT INTO days (member_id, day, submissions, accepted, undetailed)
SELECT
    @member,
    day,
    coalesce(l.submissions, 0) + coalesce(u.n, 0),
    coalesce(l.accepted, 0),
    coalesce(u.n, 0)
FROM listed l
FULL JOIN undetailed u USING (day)
