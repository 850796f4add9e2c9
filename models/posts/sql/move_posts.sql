-- Gives posts their true names, to be fetched at once. The old ones lead to them from then
-- on. A post whose true name another one has is finished: of two new ones the older stays.
WITH given AS (
    SELECT
        g.id, g.network, g.host, g.name,
        o.id AS other, -- Who has that name.
        row_number() OVER (PARTITION BY g.network, g.host, g.name ORDER BY g.id) = 1 AS first
    FROM unnest(CAST(@ids AS bigint[]), CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@names AS text[]))
        AS g(id, network, host, name)
    LEFT JOIN posts o ON o.network = g.network AND o.host = g.host AND o.external_id = g.name
),
pools AS (
    INSERT INTO post_pools (network, host)
    SELECT DISTINCT network, host
    FROM given
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
),
names AS (
    INSERT INTO post_names (network, host, name, post_id)
    SELECT p.network, p.host, p.external_id, coalesce(g.other, min(p.id) OVER (PARTITION BY g.network, g.host, g.name))
    FROM given g
    JOIN posts p ON p.id = g.id
    WHERE g.other IS DISTINCT FROM g.id
    ON CONFLICT (network, host, name) DO UPDATE
    SET post_id = EXCLUDED.post_id
),
moved AS (
    UPDATE posts p
    SET network = g.network,
        host = g.host,
        external_id = g.name,
        next_update_at = @now,
        state = 'active',
        leased_until = NULL,
        lease_id = NULL
    FROM given g
    WHERE p.id = g.id AND g.first AND g.other IS NULL
)
UPDATE posts p
SET state = 'finished',
    next_update_at = NULL,
    leased_until = NULL,
    lease_id = NULL,
    repost_of = g.name,
    last_error = ''
FROM given g
WHERE p.id = g.id AND g.other IS DISTINCT FROM g.id AND NOT (g.first AND g.other IS NULL)
