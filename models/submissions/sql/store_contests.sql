-- Stores the contests of rows, by key as problems are, with the problems that were met in them.
-- A contest that is there stays as it is: lists know it better. One whose times tell how somebody
-- took part is locked, so that rows are not stored by times that are just being changed.
WITH given AS MATERIALIZED (
    SELECT DISTINCT contest, contest_name, contest_url, participation, problem_key
    FROM found_submissions(CAST(@rows AS jsonb))
    WHERE contest <> ''),
added AS (
    INSERT INTO contests (site, key, name, url)
    SELECT DISTINCT ON (contest) @site, contest, contest_name, contest_url
    FROM given
    ORDER BY contest, contest_name DESC
    ON CONFLICT (site, key) DO NOTHING
    RETURNING id, key),
locked AS MATERIALIZED (
    SELECT id FROM contests
    WHERE site = @site AND key = ANY(ARRAY(SELECT contest FROM given WHERE participation = ''))
    ORDER BY key
    FOR SHARE),
known AS (
    SELECT id, key FROM added
    UNION ALL
    SELECT id, key FROM contests
    WHERE site = @site AND key = ANY(ARRAY(SELECT contest FROM given)) AND (SELECT count(*) FROM locked) >= 0)
INSERT INTO contest_problems (contest_id, problem_id)
SELECT DISTINCT k.id, p.id
FROM given g
JOIN known k ON k.key = g.contest
JOIN problems p ON p.site = @site AND p.key = g.problem_key
ORDER BY k.id, p.id
ON CONFLICT DO NOTHING
