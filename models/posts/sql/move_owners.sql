-- Gives posts that are nobody's to the members of those that turn out to be the same.
WITH given AS (
    SELECT DISTINCT ON (network, host, name) id, network, host, name
    FROM unnest(CAST(@ids AS bigint[]), CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@names AS text[]))
        AS g(id, network, host, name)
    ORDER BY network, host, name, id
)
UPDATE posts o
SET member_id = p.member_id
FROM given g
JOIN posts p ON p.id = g.id
WHERE o.network = g.network
    AND o.host = g.host
    AND o.external_id = g.name
    AND o.id <> p.id
    AND o.member_id IS NULL
    AND p.member_id IS NOT NULL
