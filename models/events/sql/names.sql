-- The sources that sent something since @since, with the types and facts they sent. A source
-- that was handled lately counts as seen even where no name of it is known.
SELECT s.source, coalesce(n.kind, '') AS kind, coalesce(n.name, '') AS name, coalesce(n.of, '') AS of
FROM event_sources s
LEFT JOIN event_names n
    ON n.source = s.source AND n.seen_on >= CAST(CAST(@since AS timestamptz) AT TIME ZONE 'UTC' AS date)
WHERE n.source IS NOT NULL
    OR s.first_at >= CAST(@since AS timestamptz)
    OR EXISTS (SELECT FROM event_positions p WHERE p.source = s.source AND p.handled_at >= CAST(@since AS timestamptz))
ORDER BY s.source, n.kind, n.name
