-- Stores the periods that an entry point lists, the newest first, and returns those to read.
WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (period) period, label, CAST(n AS integer) - 1 AS position
    FROM unnest(CAST(@names AS text[]), CAST(@labels AS text[])) WITH ORDINALITY AS g(period, label, n)
    ORDER BY period, n
),
stored AS (
    INSERT INTO forum_periods AS p (forum_id, period, position)
    SELECT @forum, period, position
    FROM given
    ON CONFLICT (forum_id, period) DO UPDATE
    SET position = EXCLUDED.position
    WHERE p.position <> EXCLUDED.position
)
SELECT
    CAST(@forum AS bigint) AS forum_id,
    g.period,
    g.position,
    g.label,
    coalesce(p.state, 'open') AS state,
    coalesce(p.listed, 0) AS listed,
    coalesce(p.stored, 0) AS stored,
    coalesce(p.etag, '') AS etag,
    coalesce(p.last_modified, '') AS last_modified,
    p.checked_at,
    p.changed_at
FROM given g
LEFT JOIN forum_periods p ON p.forum_id = @forum AND p.period = g.period
WHERE @again
    OR p.period IS NULL
    OR (g.label <> '' AND g.label <> p.label)
    OR forum_period_due(p, g.position, @now)
ORDER BY g.position
