-- Rows that were stored (@ids, as JSON), and the one that is, or no
-- longer is, the member's first accepted of its problem because of them.
WITH stored AS MATERIALIZED (
    SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint) AS id
),
rows AS MATERIALIZED (
    SELECT
        s.id,
        s.problem_id,
        s.submitted_at,
        s.status = 'AC' OR s.past -> -1 ->> 'status' = 'AC' AS mattered
    FROM submissions s
    JOIN stored USING (id)
),
next AS (
    SELECT o.id
    FROM (SELECT problem_id, min(submitted_at) AS at FROM rows WHERE mattered GROUP BY problem_id) r, LATERAL (
        SELECT id, submitted_at
        FROM submissions o
        WHERE o.member_id = @member
            AND o.problem_id = r.problem_id
            AND o.status = 'AC'
            AND o.id NOT IN (SELECT id FROM stored)
        ORDER BY submitted_at, o.id
        LIMIT 1
    ) o
    WHERE o.submitted_at >= r.at
)
SELECT member_id, item
FROM submissions_events
WHERE id IN (SELECT id FROM stored UNION SELECT id FROM next)
ORDER BY at, id
