-- Moves a consumer on in partitions, but for those where it does not stand where it thinks: the
-- caller compares how many moved.
UPDATE kafka_offsets o
SET next = m.next, high = m.high, read_at = @now
FROM unnest(
    CAST(@topics AS text[]), CAST(@parts AS integer[]), CAST(@froms AS bigint[]), CAST(@tos AS bigint[]),
    CAST(@highs AS bigint[])
) AS m(topic, part, start, next, high)
WHERE o.consumer = @consumer AND o.topic = m.topic AND o.part = m.part AND o.next = m.start
