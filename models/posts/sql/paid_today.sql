-- Counts which posts were paid for on a UTC day, and marks the others as paid for.
WITH known AS MATERIALIZED (
    SELECT p.id, coalesce(p.charged_on >= CAST(@today AS date), false) AS paid
    FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@ids AS text[])) AS g(network, host, id)
    JOIN posts p ON p.network = g.network AND p.host = g.host AND p.external_id = g.id
    ORDER BY p.id
    FOR UPDATE OF p
),
marked AS (
    UPDATE posts p
    SET charged_on = CAST(@today AS date)
    FROM known k
    WHERE p.id = k.id AND NOT k.paid
)
SELECT count(*) FILTER (WHERE paid)
FROM known
