-- A problem with what members whom @asking may see did about it, and those who solved it first, at most @most.
WITH p AS (
    SELECT id, name, url FROM problems WHERE site = @site AND key = @key
),
subs AS MATERIALIZED (
    SELECT s.member_id, s.submitted_at, s.id, s.status, s.language, s.url
    FROM submissions s
    JOIN members m ON m.id = s.member_id
    WHERE s.problem_id = (SELECT id FROM p) AND visible_to(@asking, m.id, m.audience)
),
firsts AS (
    SELECT DISTINCT ON (member_id) member_id, submitted_at, id, language, url
    FROM subs
    WHERE status = 'AC'
    ORDER BY member_id, submitted_at, id
),
shown AS (
    SELECT member_id, submitted_at, id, language, url FROM firsts ORDER BY submitted_at, id LIMIT @most
)
SELECT
    p.id,
    p.name,
    p.url,
    (SELECT count(*) FROM subs) AS attempts,
    (SELECT count(*) FROM subs WHERE status = 'AC') AS accepted,
    (SELECT count(*) FROM firsts) AS solvers,
    (SELECT count(DISTINCT member_id) FROM subs) - (SELECT count(*) FROM firsts) AS tried,
    (
        SELECT coalesce(
            json_agg(
                json_build_object(
                    'name', m.name,
                    'display_name', m.display_name,
                    'at', f.submitted_at,
                    'language', f.language,
                    'url', f.url,
                    'attempts', (
                        SELECT count(*)
                        FROM subs s
                        WHERE s.member_id = f.member_id AND (s.submitted_at, s.id) <= (f.submitted_at, f.id)
                    )
                )
                ORDER BY f.submitted_at, f.id
            ),
            '[]'
        )
        FROM shown f
        JOIN members m ON m.id = f.member_id
    ) AS solved
FROM p
