-- Stores what a site counts of an account by day, and returns the first day that has changed.
-- Days of the time that the counts cover, and that are not among them, have none: of all time if
-- they are whole, else since the first of them.
WITH given AS (SELECT day, n FROM jsonb_to_recordset(CAST(@days AS jsonb)) AS t(day date, n integer)),
gone AS (
    DELETE FROM reported_days
    WHERE account_id = @id
        AND (CAST(@whole AS boolean) OR day >= (SELECT min(day) FROM given))
        AND day NOT IN (SELECT day FROM given)
    RETURNING day),
stored AS (
    INSERT INTO reported_days AS r (account_id, day, submissions)
    SELECT @id, day, n FROM given
    ON CONFLICT (account_id, day) DO UPDATE SET submissions = EXCLUDED.submissions
    WHERE r.submissions <> EXCLUDED.submissions
    RETURNING day)
SELECT min(day) FROM (SELECT day FROM gone UNION ALL SELECT day FROM stored) changed
