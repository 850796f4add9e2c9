-- Notes in the log that a response is not believed any more, and keeps the sum of its page's log in step.
WITH was AS MATERIALIZED (
    SELECT r.id, archive_sum(archive_line(r)) AS sum FROM archive_retrievals r WHERE r.id = @id
),
now AS (
    UPDATE archive_retrievals
    SET withdrawn_at = coalesce(withdrawn_at, @now),
        superseded_by = coalesce(superseded_by, CAST(@superseded AS bigint)),
        withdrawn_by = coalesce(withdrawn_by, CAST(@member AS bigint)),
        note = coalesce(note, @note)
    WHERE id = @id
    RETURNING id, page_id, archive_sum(archive_line(archive_retrievals)) AS sum
)
UPDATE archive_heads h
SET sum = h.sum # was.sum # now.sum
FROM now
JOIN was ON was.id = now.id
WHERE h.page_id = now.page_id
