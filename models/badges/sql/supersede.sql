-- Lets badges be superseded by the ones that were just made for the same lines of the log.
UPDATE badges old
SET superseded_by = new.id, superseded_at = @now
FROM badges new
WHERE old.id = ANY(CAST(@stale AS uuid[])) AND new.log_id = old.log_id AND new.superseded_by IS NULL
    AND NOT new.id = ANY(CAST(@stale AS uuid[]))
