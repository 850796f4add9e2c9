-- The rows of a stream's page that are of accounts and not stored as they are. Most are of strangers,
-- or were on the page before. Row by row, because a plan for many rows reads all submissions.
WITH given AS MATERIALIZED (
    SELECT lower(g.value ->> 'handle') AS handle, g.place - 1 AS n,
        f.id, f.at, f.status, f.verdict, f.language, f.points, f.url
    FROM jsonb_array_elements(CAST(@rows AS jsonb)) WITH ORDINALITY AS g(value, place),
        jsonb_to_record(g.value) AS f(id text, at timestamptz, status text, verdict text, language text,
            points double precision, url text))
SELECT a.id, a.member_id, g.n FROM given g
JOIN accounts a ON a.site = @site AND lower(a.handle) = g.handle
LEFT JOIN LATERAL (
    SELECT submitted_at, status, verdict, language, points, url, source FROM submissions
    WHERE account_id = a.id AND site_id = g.id
    LIMIT 1) s ON true
WHERE (s.submitted_at, s.status, s.verdict, s.language, s.points, s.url)
    IS DISTINCT FROM (g.at, g.status, g.verdict, g.language, g.points, g.url)
    OR s.source = 'member'
ORDER BY a.member_id, a.id, g.n
