-- What people whom @member follows did, as @asking may see it: a row for each person and day (of @zone), the newest
-- first, behind the row of @at and @id. Nothing is read but what is shown, and one probe for each who is followed:
-- who has no newer deed than the rows of a page is on none of them (people); each of the others goes back from day
-- to day, not further than the page can reach (walk); of the rows that are left all deeds are read.
WITH RECURSIVE edge AS MATERIALIZED (
    SELECT
        CAST(@at AS timestamptz) AS at,
        CAST(@id AS bigint) AS id,
        day_began(CAST(@at AS timestamptz), @zone) AS day,
        day_began(day_began(CAST(@at AS timestamptz), @zone) + interval '30 hours', @zone) AS next_day
),
people AS MATERIALIZED (
    SELECT m.id, o.at
    FROM followed_people f
    JOIN members m ON m.id = f.member_id AND visible_to(@asking, m.id, m.audience)
    CROSS JOIN edge e
    CROSS JOIN LATERAL newest_deed(m.id, e.next_day, @viewer) n
    CROSS JOIN LATERAL (
        -- The newest of that day is behind the edge, or was shown: then it is of a day before.
        SELECT n.at
        WHERE (n.at, m.id) < (e.at, e.id)
        UNION ALL
        SELECT d.at
        FROM newest_deed(m.id, e.day, @viewer) d
        WHERE (n.at, m.id) >= (e.at, e.id)
    ) o
    WHERE f.follower_id = @member AND o.at IS NOT NULL
    ORDER BY o.at DESC, m.id DESC
    LIMIT @limit
),
reach AS MATERIALIZED (
    SELECT CASE WHEN count(*) < @limit THEN '-infinity' ELSE min(at) END AS at
    FROM people
),
walk AS (
    SELECT id, at, 1 AS n
    FROM people
    UNION ALL
    SELECT w.id, o.at, w.n + 1
    FROM walk w
    CROSS JOIN LATERAL newest_deed(w.id, day_began(w.at, @zone), @viewer) o
    WHERE w.n < @limit AND o.at >= (SELECT at FROM reach)
),
page AS MATERIALIZED (
    SELECT w.id, w.at, day_began(w.at, @zone) AS day
    FROM walk w
    ORDER BY w.at DESC, w.id DESC
    LIMIT @limit
),
bounded AS (
    SELECT id, at, day, day_began(day + interval '30 hours', @zone) AS next_day
    FROM page
)
SELECT
    m.id, m.name, m.display_name, m.custom, b.at, b.day, s.solved,
    CAST(coalesce(s.newest, '[]') AS text) AS problems,
    CAST(coalesce(w.earned, '[]') AS text) AS awards
FROM bounded b
JOIN members m ON m.id = b.id AND visible_to(@asking, m.id, m.audience)
CROSS JOIN LATERAL (
    SELECT
        count(*) AS solved,
        json_agg(json_build_object('site', p.site, 'key', p.key, 'name', p.name, 'difficulty', p.difficulty)
            ORDER BY d.first_at DESC, d.problem_id) FILTER (WHERE d.place <= @most) AS newest
    FROM (
        SELECT problem_id, first_at, row_number() OVER (ORDER BY first_at DESC, problem_id) AS place
        FROM solved
        WHERE member_id = b.id AND first_at >= b.day AND first_at < b.next_day AND first_at > '1990-01-01 00:00:00+00'
    ) d
    LEFT JOIN problems p ON p.id = d.problem_id AND d.place <= @most
) s
CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('slug', e.slug, 'title', e.title, 'level', e.level, 'called', e.called)
        ORDER BY e.at DESC, e.slug) AS earned
    FROM (
        SELECT
            a.slug, v.document ->> 'title' AS title, max(g.level) AS level, max(g.granted_at) AS at,
            coalesce(v.document -> 'levels' -> (max(g.level) - 1) ->> 'title', '') AS called
        FROM award_grants g
        JOIN awards a ON a.id = g.award_id AND award_visible(a.id, a.state, a.secret, @viewer)
        JOIN award_versions v ON v.award_id = a.id AND v.number = a.version
        WHERE g.member_id = b.id AND m.banned_at IS NULL AND g.revoked_at IS NULL
            AND g.granted_at >= b.day AND g.granted_at < b.next_day
        GROUP BY a.slug, v.document
    ) e
) w
ORDER BY b.at DESC, b.id DESC
