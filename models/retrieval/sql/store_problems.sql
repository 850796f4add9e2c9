-- Stores the problems of a page by key, so that two pages never wait for each other.
INSERT INTO problems (site, key, name, url)
SELECT DISTINCT ON (f.problem_key) @site, f.problem_key, f.problem_name, f.problem_url
FROM found_submissions(CAST(@rows AS jsonb)) f
ORDER BY f.problem_key, f.problem_name DESC
ON CONFLICT (site, key) DO UPDATE SET name = EXCLUDED.name, url = EXCLUDED.url
WHERE EXCLUDED.name <> '' AND (problems.name, problems.url) <> (EXCLUDED.name, EXCLUDED.url)
