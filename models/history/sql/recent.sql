-- The member's newest submissions that had been seen at an instant, as they were then. What their problems
-- and contests are is told as it is known today.
SELECT
    s.id,
    @member AS member,
    s.site,
    s.site_id,
    p.key AS problem_key,
    p.name AS problem_name,
    p.url AS problem_url,
    coalesce(o.was ->> 'status', s.status) AS status,
    coalesce(o.was ->> 'verdict', s.verdict) AS verdict,
    coalesce(o.was ->> 'language', s.language) AS language,
    s.points,
    coalesce(CAST(o.was ->> 'submitted_at' AS timestamptz), s.submitted_at) AS submitted_at,
    s.to_minute,
    s.url,
    s.source,
    p.difficulty,
    to_json(p.tags) AS tags,
    coalesce(c.key, '') AS contest_key,
    coalesce(c.name, '') AS contest_name,
    coalesce(s.participation, 'unknown') AS participation
FROM submissions s
CROSS JOIN LATERAL (SELECT submission_at(s.past, CAST(@at AS timestamptz)) AS was) o
JOIN problems p ON p.id = coalesce(CAST(o.was ->> 'problem_id' AS bigint), s.problem_id)
LEFT JOIN contests c ON c.id = s.contest_id
WHERE s.member_id = @id AND s.first_seen_at <= @at
ORDER BY s.submitted_at DESC, s.id DESC
LIMIT @limit
