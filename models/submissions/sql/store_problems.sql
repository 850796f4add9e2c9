-- Stores problems by key, so that two pages never wait for each other. Only a site (@source)
-- changes what is known of one; who brings submissions may name a problem that has no name.
-- What a list does not tell takes nothing away; an older answer (@again) fills in what is missing.
-- Rows of a problem whose facts changed get new events later (facts_due).
WITH found AS MATERIALIZED (
    SELECT DISTINCT ON (f.problem_key) f.problem_key AS key, f.problem_name AS name, f.problem_url AS url,
        CASE WHEN @again THEN coalesce(p.difficulty, f.difficulty) ELSE f.difficulty END AS difficulty,
        CASE WHEN @again AND p.tags <> '{}' THEN p.tags ELSE f.tags END AS tags
    FROM found_submissions(CAST(@rows AS jsonb)) f
    LEFT JOIN problems p ON p.site = @site AND p.key = f.problem_key
    ORDER BY f.problem_key, f.problem_name DESC)
INSERT INTO problems AS p (site, key, name, url, difficulty, difficulty_source, tags)
SELECT @site, key, name, url, difficulty, CASE WHEN difficulty IS NULL THEN '' ELSE @site END, tags
FROM found
ORDER BY key
ON CONFLICT (site, key) DO UPDATE
SET name = CASE WHEN EXCLUDED.name <> '' AND (@source = 'site' OR p.name = '') THEN EXCLUDED.name ELSE p.name END,
    url = CASE WHEN p.url = '' OR @source = 'site' AND EXCLUDED.name <> '' THEN EXCLUDED.url ELSE p.url END,
    difficulty = coalesce(EXCLUDED.difficulty, p.difficulty),
    difficulty_source = CASE
        WHEN EXCLUDED.difficulty IS NULL OR EXCLUDED.difficulty = p.difficulty THEN p.difficulty_source
        ELSE EXCLUDED.difficulty_source END,
    experimental = p.experimental AND coalesce(EXCLUDED.difficulty = p.difficulty, EXCLUDED.difficulty IS NULL),
    tags = CASE WHEN EXCLUDED.tags = '{}' THEN p.tags ELSE EXCLUDED.tags END,
    matched = p.matched AND EXCLUDED.name IN ('', p.name)
        AND coalesce(EXCLUDED.difficulty = p.difficulty, EXCLUDED.difficulty IS NULL),
    facts_due = p.facts_due OR coalesce(EXCLUDED.difficulty, p.difficulty) IS DISTINCT FROM p.difficulty
        OR EXCLUDED.tags NOT IN ('{}', p.tags)
        OR EXCLUDED.name NOT IN ('', p.name) AND (@source = 'site' OR p.name = '')
WHERE EXCLUDED.name <> '' AND (p.name, p.url) <> (EXCLUDED.name, EXCLUDED.url)
        AND (@source = 'site' OR p.name = '')
    OR p.url = '' AND EXCLUDED.url <> ''
    OR coalesce(EXCLUDED.difficulty, p.difficulty) IS DISTINCT FROM p.difficulty
    OR EXCLUDED.tags NOT IN ('{}', p.tags)
