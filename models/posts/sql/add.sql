-- Follows posts, however many. One that is followed already, by this name or by its true
-- one, stays as it is, but gets an owner if it had none. Returns how many are new.
WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (network, host, external_id) network, host, external_id, url, member_id, created_at
    FROM (
        SELECT
            coalesce(t.network, g.network) AS network,
            coalesce(t.host, g.host) AS host,
            coalesce(t.external_id, g.external_id) AS external_id,
            g.url,
            g.member_id,
            g.created_at
        FROM unnest(
            CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@ids AS text[]), CAST(@urls AS text[]),
            CAST(@members AS bigint[]), CAST(@created AS timestamptz[])
        ) AS g(network, host, external_id, url, member_id, created_at)
        LEFT JOIN post_names n ON n.network = g.network AND n.host = g.host AND n.name = g.external_id
        LEFT JOIN posts t ON t.id = n.post_id
    ) g
    ORDER BY network, host, external_id, member_id
),
pools AS (
    INSERT INTO post_pools (network, host)
    SELECT DISTINCT network, host FROM given ORDER BY network, host
    ON CONFLICT DO NOTHING
),
known AS MATERIALIZED (
    SELECT p.id, g.member_id
    FROM given g
    JOIN posts p USING (network, host, external_id)
    WHERE p.member_id IS NULL AND g.member_id IS NOT NULL
),
-- In the order in which results are stored; by id, for who waits here may wait for names to change.
nobodys AS MATERIALIZED (
    SELECT p.id, k.member_id
    FROM known k
    JOIN posts p ON p.id = k.id
    WHERE p.member_id IS NULL
    ORDER BY p.id
    FOR UPDATE OF p
),
taken AS (
    UPDATE posts p SET member_id = n.member_id FROM nobodys n WHERE p.id = n.id
),
made AS (
    INSERT INTO posts AS p (network, host, external_id, url, member_id, created_at, added_at, next_update_at)
    SELECT network, host, external_id, url, member_id, created_at, @now, @now
    FROM given
    WHERE NOT EXISTS (
        SELECT FROM posts p
        WHERE (p.network, p.host, p.external_id) = (given.network, given.host, given.external_id)
    )
    ORDER BY network, host, external_id
    ON CONFLICT (network, host, external_id) DO UPDATE
    SET member_id = EXCLUDED.member_id
    WHERE p.member_id IS NULL AND EXCLUDED.member_id IS NOT NULL
    RETURNING xmax = 0 AS fresh
)
SELECT count(*) FILTER (WHERE fresh) FROM made
