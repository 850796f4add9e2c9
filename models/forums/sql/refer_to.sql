-- Stores what messages talk about. A message that links to the comparison of two members is
-- that comparison's; a problem by what people call it is stored as the problem.
WITH given AS MATERIALIZED (
    SELECT serial, kind, key, url, n
    FROM unnest(CAST(@serials AS bigint[]), CAST(@kinds AS text[]), CAST(@keys AS text[]), CAST(@urls AS text[]))
        WITH ORDINALITY AS g(serial, kind, key, url, n)
),
pairs AS (
    SELECT DISTINCT ON (g.serial) g.serial, a.name || '/' || b.name AS compared
    FROM given g
    JOIN members a ON lower(a.name) = split_part(g.key, '/', 1)
    JOIN members b ON lower(b.name) = split_part(g.key, '/', 2)
    WHERE g.kind = 'comparison'
    ORDER BY g.serial, g.n
),
compared AS (
    UPDATE messages m
    SET compared = pairs.compared
    FROM pairs
    WHERE m.serial = pairs.serial
)
INSERT INTO message_references (serial, kind, key, url)
SELECT serial, kind, key, url
FROM given
WHERE kind <> 'number'
UNION ALL
SELECT g.serial, 'problem', p.site || '/' || p.key, g.url
FROM given g
JOIN problems p ON p.site = split_part(g.key, '/', 1) AND p.name LIKE split_part(g.key, '/', 2) || ' - %'
WHERE g.kind = 'number'
ON CONFLICT DO NOTHING
