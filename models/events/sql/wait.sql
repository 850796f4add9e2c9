-- Keeps events of people who are not known yet, as long as there are fewer than @most, and of each name
-- fewer than @each. Returns those that wait from now on, and those that did before.
WITH given AS (
    SELECT DISTINCT ON (source, event_id) source, event_id, member, body, place
    FROM unnest(
        CAST(@sources AS text[]), CAST(@ids AS text[]), CAST(@members AS text[]), CAST(@bodies AS text[])
    ) WITH ORDINALITY AS g(source, event_id, member, body, place)
    ORDER BY source, event_id, place
),
kept AS (
    INSERT INTO event_waiting (member, source, event_id, stored_at, body)
    SELECT member, source, event_id, CAST(@now AS timestamptz), body
    FROM given g
    WHERE (SELECT count(*) FROM event_waiting w WHERE w.member = g.member) < @each
        AND NOT EXISTS (SELECT FROM event_waiting w WHERE w.source = g.source AND w.event_id = g.event_id)
    ORDER BY place
    LIMIT (SELECT @most - count(*) FROM (SELECT FROM event_waiting LIMIT @most) w)
    ON CONFLICT DO NOTHING
    RETURNING source, event_id
)
SELECT source, event_id, true AS fresh FROM kept
UNION ALL
SELECT w.source, w.event_id, false FROM event_waiting w JOIN given g ON g.source = w.source AND g.event_id = w.event_id
