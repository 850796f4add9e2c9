-- Sets aside records that cannot be taken, in the order in which they were read. Whom they are
-- about, nobody knows.
INSERT INTO event_dead (
    source, event_id, zone, stored_at, body, reason, dead_at, topic, part, log_offset
)
SELECT source, event_id, '', @now, body, reason, @now, topic, part, log_offset
FROM unnest(
    CAST(@sources AS text[]), CAST(@ids AS text[]), CAST(@bodies AS text[]), CAST(@reasons AS text[]),
    CAST(@topics AS text[]), CAST(@parts AS integer[]), CAST(@offsets AS bigint[])
) WITH ORDINALITY AS r(source, event_id, body, reason, topic, part, log_offset, place)
ORDER BY place
