-- The member's days, from the day before that of @from on (null: all), that are not as
-- they were, which @was says. The event of a day is at its noon, whatever its length.
SELECT
    m.id AS member_id,
    m.name,
    m.time_zone AS zone,
    coalesce(d.day, w.day) || '@' || m.id AS item,
    'day' AS type,
    CAST(coalesce(d.day, w.day) AS text) AS object,
    CASE WHEN d.day IS NULL THEN 'deleted' ELSE 'active' END AS status,
    (coalesce(d.day, w.day) + time '12:00') AT TIME ZONE @zone AS at,
    json_build_object('submissions', coalesce(d.submissions, 0), 'accepted', coalesce(d.accepted, 0)) AS facts
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
