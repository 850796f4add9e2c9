-- Remembers types and facts that events came with, each once a day: what was seen today is not
-- touched. A source has at most @most.
INSERT INTO event_names (source, kind, name, of, seen_on)
SELECT g.source, g.kind, g.name, g.of, CAST(@today AS date)
FROM unnest(
    CAST(@sources AS text[]), CAST(@kinds AS text[]), CAST(@names AS text[]), CAST(@of AS text[])
) AS g(source, kind, name, of)
LEFT JOIN event_names n ON n.source = g.source AND n.kind = g.kind AND n.name = g.name
WHERE (n.seen_on < CAST(@today AS date) OR n.of <> g.of)
    OR n.name IS NULL AND (SELECT count(*) FROM event_names o WHERE o.source = g.source) < @most
ON CONFLICT (source, kind, name) DO UPDATE
SET of = excluded.of, seen_on = greatest(event_names.seen_on, excluded.seen_on)
