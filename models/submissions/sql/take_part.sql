-- Marks facts of problems and times of contests as told, and finds out how members took part in
-- those contests. It returns, as JSON, the submissions that are to be told of again.
WITH told AS (
    UPDATE problems SET facts_due = false
    WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@problems AS json)) AS bigint)) AND facts_due
    RETURNING id),
timed AS (
    UPDATE contests SET times_due = false
    WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@contests AS json)) AS bigint)) AND times_due
    RETURNING id, starts_at, ends_at),
took AS (
    UPDATE submissions s SET participation = participation_by_time(c.starts_at, c.ends_at, s.submitted_at)
    FROM timed c
    WHERE s.contest_id = c.id AND s.participation IS NULL AND c.ends_at IS NOT NULL
    RETURNING s.id)
SELECT coalesce(CAST(json_agg(id) AS text), '[]')
FROM (
    SELECT id FROM took
    UNION
    SELECT id FROM submissions WHERE problem_id IN (SELECT id FROM told)
) again
