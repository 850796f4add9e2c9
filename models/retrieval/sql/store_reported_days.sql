-- Stores what a site counts of an account by day, and returns the first day that has changed.
-- Days of the time that the counts cover, and that are not among them, have none: of all time if
-- they are whole, else since the first of them. What a day was before is kept.
WITH given AS (SELECT day, n FROM jsonb_to_recordset(CAST(@days AS jsonb)) AS t(day date, n integer)),
now_counted AS (
    SELECT day, n FROM given
    UNION ALL
    SELECT day, 0 FROM reported_days
    WHERE account_id = @id
        AND (CAST(@whole AS boolean) OR day >= (SELECT min(day) FROM given))
        AND day NOT IN (SELECT day FROM given)),
stored AS (
    INSERT INTO reported_days AS r (account_id, day, submissions, seen_at)
    SELECT @id, day, n, @now FROM now_counted
    ON CONFLICT (account_id, day) DO UPDATE SET submissions = EXCLUDED.submissions,
        past = coalesce(r.past, '[]') || jsonb_build_object('until', EXCLUDED.seen_at, 'submissions', r.submissions)
    WHERE r.submissions <> EXCLUDED.submissions
    RETURNING day)
SELECT min(day) FROM stored
