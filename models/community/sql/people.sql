-- At most @limit members whom @asking may see and who may be meant by @text: first who has the
-- handle (one of @sites with the handle at the same place of @handles, for a pasted address; or
-- @text on any site) or the name, then those whose name begins with it, then those who have it anywhere.
WITH exact AS (
    SELECT a.member_id, min(a.site || ' ' || a.handle) AS handle
    FROM accounts a
    JOIN unnest(CAST(@sites AS text[]), CAST(@handles AS text[])) w (site, handle)
        ON a.site = w.site AND lower(a.handle) = lower(w.handle)
    GROUP BY a.member_id
    LIMIT @limit
),
found AS (
    SELECT member_id AS id, 0 AS place, handle FROM exact
    UNION ALL
    SELECT id, 0, '' FROM members WHERE lower(name) = lower(@text)
    UNION ALL
    (
        SELECT id, CASE WHEN name ILIKE @beginning OR display_name ILIKE @beginning THEN 1 ELSE 2 END, ''
        FROM members
        WHERE (name ILIKE @part OR display_name ILIKE @part) AND visible_to(@asking, id, audience)
        ORDER BY 2, lower(name)
        LIMIT @limit
    )
)
SELECT m.id, m.name, m.display_name, m.custom, min(f.place) = 0 AS exact, max(f.handle) AS handle
FROM found f
JOIN members m ON m.id = f.id AND visible_to(@asking, m.id, m.audience)
GROUP BY m.id, m.name, m.display_name, m.custom
ORDER BY min(f.place), lower(m.name)
LIMIT @limit
