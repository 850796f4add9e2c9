-- Stores problems by key, so that two pages never wait for each other. Only a site (@source)
-- changes what is known of one; who brings submissions may name a problem that has no name.
INSERT INTO problems AS p (site, key, name, url)
SELECT DISTINCT ON (f.problem_key) @site, f.problem_key, f.problem_name, f.problem_url
FROM found_submissions(CAST(@rows AS jsonb)) f
ORDER BY f.problem_key, f.problem_name DESC
ON CONFLICT (site, key) DO UPDATE
SET name = EXCLUDED.name, url = CASE WHEN @source = 'site' OR p.url = '' THEN EXCLUDED.url ELSE p.url END
WHERE EXCLUDED.name <> '' AND (p.name, p.url) <> (EXCLUDED.name, EXCLUDED.url) AND (@source = 'site' OR p.name = '')
