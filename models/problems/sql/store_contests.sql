-- Stores those contests of a list that are not stored as the list tells them. When times become
-- known, submissions in the contest follow later (times_due).
WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (g.key) g.key, g.starts, g.ends,
        CASE WHEN g.name <> '' THEN g.name ELSE coalesce(c.name, '') END AS name,
        CASE WHEN g.url <> '' THEN g.url ELSE coalesce(c.url, '') END AS url,
        CASE WHEN @names THEN coalesce(c.listed_at, CAST(@now AS timestamptz)) ELSE c.listed_at END AS listed_at
    FROM jsonb_to_recordset(CAST(@rows AS jsonb))
        AS g(key text, name text, url text, starts timestamptz, ends timestamptz)
    LEFT JOIN contests c ON c.site = @site AND c.key = g.key
    ORDER BY g.key)
INSERT INTO contests AS c (site, key, name, url, starts_at, ends_at, listed_at, times_due)
SELECT @site, g.key, g.name, g.url, g.starts, g.ends, g.listed_at, false
FROM given g
LEFT JOIN contests o ON o.site = @site AND o.key = g.key
WHERE o.id IS NULL
    OR (o.name, o.url, o.starts_at, o.ends_at, o.listed_at, o.retired_at)
        IS DISTINCT FROM (g.name, g.url, g.starts, g.ends, g.listed_at, NULL)
ORDER BY g.key
ON CONFLICT (site, key) DO UPDATE
SET name = EXCLUDED.name, url = EXCLUDED.url, starts_at = EXCLUDED.starts_at, ends_at = EXCLUDED.ends_at,
    listed_at = EXCLUDED.listed_at, retired_at = NULL,
    times_due = c.times_due OR (c.starts_at, c.ends_at) IS DISTINCT FROM (EXCLUDED.starts_at, EXCLUDED.ends_at)
