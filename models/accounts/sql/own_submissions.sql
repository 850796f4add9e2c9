-- A member's submissions as a sheet, oldest first.
SELECT
    to_char(s.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS submitted_at,
    s.site,
    a.handle,
    s.site_id AS submission,
    p.key AS problem,
    p.name AS problem_name,
    s.status,
    s.verdict,
    s.language,
    s.points,
    s.url
FROM submissions s
JOIN accounts a ON a.id = s.account_id
JOIN problems p ON p.id = s.problem_id
WHERE s.member_id = @member
ORDER BY s.submitted_at, s.id
