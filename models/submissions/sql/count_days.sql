-- Counts a member's days from the day before that of @from on (null: all). Rows are chosen
-- by their day; the moment, with some room, is for the index alone.
INSERT INTO days (member_id, day, submissions, accepted)
SELECT
    @member,
    CAST(submitted_at AT TIME ZONE @zone AS date) AS day,
    count(*),
    count(*) FILTER (WHERE status = 'AC')
FROM submissions
WHERE member_id = @member
    AND (
        CAST(@from AS timestamptz) IS NULL
        OR (
            submitted_at > CAST(@from AS timestamptz) - interval '3 days'
            AND CAST(submitted_at AT TIME ZONE @zone AS date)
                >= CAST(CAST(@from AS timestamptz) AT TIME ZONE @zone AS date) - 1
        )
    )
GROUP BY day
