-- Stores submissions of an account, and revises those that are there already where they differ.
-- What the site shows (@source) wins: a member's row becomes the site's, never the other way
-- round. It returns how many, the first moment whose day changed, and terms to count.
WITH given AS (
    SELECT DISTINCT ON (f.id) f.id, f.at, f.status, f.verdict, f.language, f.points, f.url, f.to_minute, f.expected,
        p.id AS problem_id
    FROM found_submissions(CAST(@rows AS jsonb)) f
    JOIN problems p ON p.site = @site AND p.key = f.problem_key
    ORDER BY f.id, f.status = 'PENDING'), -- Of two rows of one submission, the judged one is the later one.
moved AS ( -- A revised time changes the day it leaves, too.
    SELECT s.submitted_at FROM submissions s
    JOIN given g ON s.account_id = @account AND s.site_id = g.id
    WHERE s.submitted_at <> g.at AND (s.source = 'member' OR @source = 'site')),
stored AS (
    INSERT INTO submissions AS s (account_id, member_id, site, site_id, problem_id, status, verdict, language, points,
        submitted_at, url, to_minute, source, first_seen_at)
    SELECT @account, @member, @site, id, problem_id, status, verdict, language, points,
        at, url, to_minute, @source, @now
    FROM given
    ORDER BY at, length(id), id -- Of the same second, in the order of the site's numbers.
    ON CONFLICT (account_id, site_id) DO UPDATE
    SET problem_id = EXCLUDED.problem_id, status = EXCLUDED.status, verdict = EXCLUDED.verdict,
        language = EXCLUDED.language, points = EXCLUDED.points, submitted_at = EXCLUDED.submitted_at,
        to_minute = EXCLUDED.to_minute, url = EXCLUDED.url, source = EXCLUDED.source, revised_at = @now,
        past = coalesce(s.past, '[]') || jsonb_build_object('until', CAST(@now AS timestamptz),
            'problem_id', s.problem_id, 'status', s.status, 'verdict', s.verdict, 'language', s.language,
            'points', s.points, 'submitted_at', s.submitted_at, 'url', s.url)
    WHERE (s.problem_id, s.status, s.verdict, s.language, s.points, s.submitted_at, s.url, s.source)
        IS DISTINCT FROM (EXCLUDED.problem_id, EXCLUDED.status, EXCLUDED.verdict, EXCLUDED.language, EXCLUDED.points,
            EXCLUDED.submitted_at, EXCLUDED.url, EXCLUDED.source)
        AND (s.source = 'member' OR EXCLUDED.source = 'site')
        AND NOT (@again AND s.source = 'site' AND coalesce(s.revised_at, s.first_seen_at) > @now)
    RETURNING s.id, s.xmax = 0 AS inserted, s.submitted_at, s.status, s.verdict, s.language),
terms AS (
    SELECT 'language' AS kind, left(language, 200) AS term, count(*) AS n FROM stored WHERE inserted GROUP BY term
    UNION ALL
    SELECT 'verdict', left(verdict, 200) AS term, count(*) FROM stored
    WHERE status = 'OTH' AND verdict IN (SELECT verdict FROM given WHERE NOT expected)
    GROUP BY term)
SELECT count(*) FILTER (WHERE inserted) AS inserted, count(*) FILTER (WHERE NOT inserted) AS revised,
    least(min(submitted_at), (SELECT min(submitted_at) FROM moved)) AS first,
    coalesce(CAST(json_agg(id) AS text), '') AS ids,
    (SELECT coalesce(CAST(json_agg(terms) AS text), '') FROM terms) AS terms
FROM stored
