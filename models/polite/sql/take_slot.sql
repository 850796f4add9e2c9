-- Takes a slot of all of @keys: it is free where the gap after the last request is over,
-- nobody else is asking, and nobody more urgent waits. Who is urgent and not served
-- reserves the next slot. The keys are locked in one order, so that nobody waits for ever.
WITH seen AS MATERIALIZED (
    SELECT next_at, held_until, CASE WHEN @urgent THEN NULL ELSE urgent_until END AS urgent_until
    FROM request_slots
    WHERE key IN (SELECT jsonb_array_elements_text(CAST(@keys AS jsonb)))
    ORDER BY key
    FOR UPDATE
),
answer AS MATERIALIZED (
    SELECT
        count(*) AS known,
        coalesce(
            count(*) = @n
            AND bool_and(
                next_at <= @now
                AND (held_until IS NULL OR held_until <= @now)
                AND (urgent_until IS NULL OR urgent_until <= @now)
            ),
            false
        ) AS free,
        greatest(max(next_at), max(urgent_until), CAST(@now AS timestamptz)) AS at
    FROM seen
),
moved AS (
    UPDATE request_slots
    SET next_at = CASE WHEN free THEN @next ELSE next_at END,
        holder = CASE WHEN free THEN @holder ELSE holder END,
        held_until = CASE WHEN free THEN @until ELSE held_until END,
        urgent_until = CASE WHEN free THEN NULL ELSE greatest(urgent_until, answer.at + CAST(@window AS interval)) END
    FROM answer
    WHERE (free OR @urgent) AND key IN (SELECT jsonb_array_elements_text(CAST(@keys AS jsonb)))
)
SELECT known, free, at FROM answer
