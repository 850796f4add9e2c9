-- Says which problems are in which contests. A contest that no list told yet is made, without a name.
WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (contest, problem) contest, problem, coalesce(label, '') AS label
    FROM jsonb_to_recordset(CAST(@rows AS jsonb)) AS f(contest text, problem text, label text)
    ORDER BY contest, problem, label DESC),
added AS (
    INSERT INTO contests (site, key)
    SELECT DISTINCT @site, contest FROM given ORDER BY contest
    ON CONFLICT (site, key) DO NOTHING
    RETURNING id, key),
known AS (
    SELECT id, key FROM added
    UNION ALL
    SELECT id, key FROM contests WHERE site = @site AND key IN (SELECT contest FROM given))
INSERT INTO contest_problems AS cp (contest_id, problem_id, label)
SELECT k.id, p.id, g.label
FROM given g
JOIN known k ON k.key = g.contest
JOIN problems p ON p.site = @site AND p.key = g.problem
LEFT JOIN contest_problems o ON o.contest_id = k.id AND o.problem_id = p.id
WHERE o.label IS DISTINCT FROM g.label AND (o.label IS NULL OR g.label <> '')
ORDER BY k.id, p.id
ON CONFLICT (contest_id, problem_id) DO UPDATE SET label = EXCLUDED.label
