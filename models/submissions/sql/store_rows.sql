-- Stores submissions of an account, and revises those that are there already where they differ.
-- What the site shows (@source) wins: a member's row becomes the site's, never the other way
-- round. It returns how many, the first moment whose day changed, and terms to count.
-- The contest and how the member took part are facts that older readers did not read: filling them
-- in is no revision.
WITH given AS (
    SELECT DISTINCT ON (f.id) f.id, f.at, f.status, f.verdict, f.language, f.points, f.url, f.to_minute, f.expected,
        p.id AS problem_id, c.id AS contest_id,
        CASE
            WHEN f.participation <> '' THEN f.participation
            WHEN f.contest = '' THEN 'unknown'
            ELSE participation_by_time(c.starts_at, c.ends_at, f.at)
        END AS participation
    FROM found_submissions(CAST(@rows AS jsonb)) f
    JOIN problems p ON p.site = @site AND p.key = f.problem_key
    LEFT JOIN contests c ON c.site = @site AND c.key = f.contest AND f.contest <> ''
    ORDER BY f.id, f.status = 'PENDING'), -- Of two rows of one submission, the judged one is the later one.
stored AS (
    INSERT INTO submissions AS s (account_id, member_id, site, site_id, problem_id, status, verdict, language, points,
        submitted_at, url, to_minute, source, contest_id, participation, first_seen_at)
    SELECT @account, @member, @site, id, problem_id, status, verdict, language, points,
        at, url, to_minute, @source, contest_id, participation, @now
    FROM given
    ORDER BY at, length(id), id -- Of the same second, in the order of the site's numbers.
    ON CONFLICT (account_id, site_id) DO UPDATE
    SET problem_id = EXCLUDED.problem_id, status = EXCLUDED.status, verdict = EXCLUDED.verdict,
        language = EXCLUDED.language, points = EXCLUDED.points, submitted_at = EXCLUDED.submitted_at,
        to_minute = EXCLUDED.to_minute, url = EXCLUDED.url, source = EXCLUDED.source,
        contest_id = EXCLUDED.contest_id, participation = EXCLUDED.participation,
        revised_at = CASE
            WHEN (s.problem_id, s.status, s.verdict, s.language, s.points, s.submitted_at, s.url, s.source)
                IS DISTINCT FROM (EXCLUDED.problem_id, EXCLUDED.status, EXCLUDED.verdict, EXCLUDED.language,
                    EXCLUDED.points, EXCLUDED.submitted_at, EXCLUDED.url, EXCLUDED.source)
            THEN CAST(@now AS timestamptz)
            ELSE s.revised_at END,
        past = CASE
            WHEN (s.problem_id, s.status, s.verdict, s.language, s.points, s.submitted_at, s.url, s.source)
                IS DISTINCT FROM (EXCLUDED.problem_id, EXCLUDED.status, EXCLUDED.verdict, EXCLUDED.language,
                    EXCLUDED.points, EXCLUDED.submitted_at, EXCLUDED.url, EXCLUDED.source)
            THEN coalesce(s.past, '[]') || jsonb_build_object('until', CAST(@now AS timestamptz),
                'problem_id', s.problem_id, 'status', s.status, 'verdict', s.verdict, 'language', s.language,
                'points', s.points, 'submitted_at', s.submitted_at, 'url', s.url)
            ELSE s.past END
    WHERE (s.problem_id, s.status, s.verdict, s.language, s.points, s.submitted_at, s.url, s.source,
            s.contest_id, s.participation)
        IS DISTINCT FROM (EXCLUDED.problem_id, EXCLUDED.status, EXCLUDED.verdict, EXCLUDED.language,
            EXCLUDED.points, EXCLUDED.submitted_at, EXCLUDED.url, EXCLUDED.source,
            EXCLUDED.contest_id, EXCLUDED.participation)
        AND (s.source = 'member' OR EXCLUDED.source = 'site')
        AND NOT (@again AND s.source = 'site' AND coalesce(s.revised_at, s.first_seen_at) > @now)
    RETURNING s.id, s.xmax = 0 AS inserted, s.submitted_at, s.status, s.verdict, s.language,
        s.xmax = 0 OR s.revised_at = @now OR @source = 'member' AS changed,
        -- A revised time changes the day it leaves, too.
        CASE WHEN s.revised_at = @now THEN CAST(s.past -> -1 ->> 'submitted_at' AS timestamptz) END AS was_at),
terms AS (
    SELECT 'language' AS kind, left(language, 200) AS term, count(*) AS n FROM stored WHERE inserted GROUP BY term
    UNION ALL
    SELECT 'verdict', left(verdict, 200) AS term, count(*) FROM stored
    WHERE changed AND status = 'OTH' AND verdict IN (SELECT verdict FROM given WHERE NOT expected)
    GROUP BY term)
SELECT count(*) FILTER (WHERE inserted) AS inserted, count(*) FILTER (WHERE changed AND NOT inserted) AS revised,
    least(min(submitted_at) FILTER (WHERE changed), min(was_at)) AS first,
    coalesce(CAST(json_agg(id) AS text), '') AS ids,
    (SELECT coalesce(CAST(json_agg(terms) AS text), '') FROM terms) AS terms
FROM stored
