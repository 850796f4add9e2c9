-- Problems whose facts changed, and contests whose times did, at most @most of each, with the
-- problems and the members of the submissions that this is about. As JSON.
WITH due AS MATERIALIZED (
    SELECT id FROM problems WHERE facts_due ORDER BY id LIMIT @most),
timed AS MATERIALIZED (
    SELECT id FROM contests WHERE times_due ORDER BY id LIMIT @most),
rows AS MATERIALIZED (
    SELECT problem_id, member_id FROM submissions WHERE problem_id IN (SELECT id FROM due)
    UNION
    SELECT problem_id, member_id FROM submissions
    WHERE contest_id IN (SELECT id FROM timed) AND participation IS NULL)
SELECT
    (SELECT coalesce(CAST(json_agg(id) AS text), '[]')
        FROM (SELECT id FROM due UNION SELECT problem_id FROM rows) p) AS problems,
    (SELECT coalesce(CAST(json_agg(id) AS text), '[]') FROM timed) AS contests,
    (SELECT coalesce(CAST(json_agg(member_id) AS text), '[]') FROM (SELECT DISTINCT member_id FROM rows) m) AS members
