-- Stores those problems of a list that are not stored as the list tells them. A list that names
-- problems (@names) is believed in names and addresses; others fill in what is missing. Rows of a
-- problem whose facts changed get new events later (facts_due).
WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (key) key, coalesce(name, '') AS name, coalesce(url, '') AS url, difficulty, source,
        experimental, coalesce(tags, '{}') AS tags
    FROM jsonb_to_recordset(CAST(@rows AS jsonb)) AS f(key text, name text, url text, difficulty integer, source text,
        experimental boolean, tags text[])
    ORDER BY key),
merged AS MATERIALIZED (
    SELECT g.key, p.id,
        CASE WHEN @names THEN coalesce(nullif(g.name, ''), p.name, '')
            ELSE coalesce(nullif(p.name, ''), g.name) END AS name,
        CASE WHEN @names THEN coalesce(nullif(g.url, ''), p.url, '')
            ELSE coalesce(nullif(p.url, ''), g.url) END AS url,
        coalesce(g.difficulty, p.difficulty) AS difficulty,
        CASE WHEN g.difficulty IS NULL THEN coalesce(p.difficulty_source, '') ELSE g.source END AS difficulty_source,
        CASE WHEN g.difficulty IS NULL THEN coalesce(p.experimental, false) ELSE g.experimental END AS experimental,
        CASE WHEN g.tags = '{}' THEN coalesce(p.tags, '{}') ELSE g.tags END AS tags,
        CASE WHEN @names THEN coalesce(p.listed_at, CAST(@now AS timestamptz)) ELSE p.listed_at END AS listed_at,
        CASE WHEN @names THEN NULL ELSE p.retired_at END AS retired_at
    FROM given g
    LEFT JOIN problems p ON p.site = @site AND p.key = g.key)
INSERT INTO problems AS p (site, key, name, url, difficulty, difficulty_source, experimental, tags,
    listed_at, retired_at)
SELECT @site, m.key, m.name, m.url, m.difficulty, m.difficulty_source, m.experimental, m.tags,
    m.listed_at, m.retired_at
FROM merged m
LEFT JOIN problems o ON o.id = m.id
WHERE o.id IS NULL
    OR (o.name, o.url, o.difficulty, o.difficulty_source, o.experimental, o.tags, o.listed_at, o.retired_at)
        IS DISTINCT FROM (m.name, m.url, m.difficulty, m.difficulty_source, m.experimental, m.tags,
            m.listed_at, m.retired_at)
ORDER BY m.key
ON CONFLICT (site, key) DO UPDATE
SET name = EXCLUDED.name, url = EXCLUDED.url, difficulty = EXCLUDED.difficulty,
    difficulty_source = EXCLUDED.difficulty_source, experimental = EXCLUDED.experimental, tags = EXCLUDED.tags,
    listed_at = EXCLUDED.listed_at, retired_at = EXCLUDED.retired_at,
    matched = p.matched AND (p.name, p.difficulty, p.listed_at IS NULL)
        IS NOT DISTINCT FROM (EXCLUDED.name, EXCLUDED.difficulty, EXCLUDED.listed_at IS NULL),
    facts_due = p.facts_due OR (p.name, p.difficulty, p.tags)
        IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.difficulty, EXCLUDED.tags)
