-- The member's days, from the day before that of @from on (null: all), that are not as
-- they were, which @was says.
SELECT m.id AS member_id, coalesce(d.day, w.day) || '@' || m.id AS item
FROM json_to_recordset(CAST(@was AS json)) AS w(day date, submissions integer, accepted integer)
FULL JOIN (
    SELECT day, submissions, accepted
    FROM days
    WHERE member_id = @member
        AND (
            CAST(@from AS timestamptz) IS NULL
            OR day >= CAST(CAST(@from AS timestamptz) AT TIME ZONE @zone AS date) - 1
        )
) d ON d.day = w.day
JOIN members m ON m.id = @member AND NOT m.custom
WHERE (d.submissions, d.accepted) IS DISTINCT FROM (w.submissions, w.accepted)
ORDER BY coalesce(d.day, w.day)
