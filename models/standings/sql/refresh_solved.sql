-- What a member (@member) solved first since the first changed submission (@from; null: ever). What
-- was solved before it stays as it is: no row of then has changed.
WITH firsts AS MATERIALIZED (
    SELECT DISTINCT ON (problem_id) problem_id, submitted_at, id
    FROM submissions
    WHERE member_id = @member
        AND status = 'AC'
        AND (CAST(@from AS timestamptz) IS NULL OR submitted_at >= @from)
    ORDER BY problem_id, submitted_at, id
),
gone AS (
    DELETE FROM solved
    WHERE member_id = @member
        AND (CAST(@from AS timestamptz) IS NULL OR first_at >= @from)
        AND problem_id NOT IN (SELECT problem_id FROM firsts)
)
INSERT INTO solved AS s (member_id, problem_id, first_at, submission_id)
SELECT @member, problem_id, submitted_at, id
FROM firsts
ON CONFLICT (member_id, problem_id) DO UPDATE
SET first_at = EXCLUDED.first_at, submission_id = EXCLUDED.submission_id
WHERE (CAST(@from AS timestamptz) IS NULL OR s.first_at >= @from)
    AND (s.first_at, s.submission_id) <> (EXCLUDED.first_at, EXCLUDED.submission_id)
