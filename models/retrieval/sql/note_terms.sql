-- Counts terms of a site that are not acknowledged, and returns those that are an alarm. Every
-- language is taken as known until the site's first term is from before @learned.
WITH given AS (
    SELECT kind, term, n, kind = 'language' AND NOT EXISTS (
        SELECT FROM site_terms t WHERE t.site = @site AND t.first_at <= @learned) AS known
    FROM jsonb_to_recordset(CAST(@counts AS jsonb)) AS g(kind text, term text, n bigint)
    WHERE NOT EXISTS (
        SELECT FROM site_terms t WHERE t.site = @site AND t.kind = g.kind AND t.term = g.term AND t.known)),
noted AS (
    INSERT INTO site_terms AS t (site, kind, term, known, times, first_at, last_at, handle)
    SELECT @site, kind, term, known, n, CAST(@now AS timestamptz), CAST(@now AS timestamptz), @handle
    FROM given ORDER BY kind, term
    ON CONFLICT (site, kind, term) DO UPDATE
    SET times = t.times + EXCLUDED.times, last_at = greatest(t.last_at, EXCLUDED.last_at)
    RETURNING kind, term, known)
SELECT kind, term FROM noted WHERE NOT known
