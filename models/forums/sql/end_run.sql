-- Ends a run and its lease, and sets when the forum is due again. A kick of after its start
-- stays. Nothing is written where the lease is somebody else's.
WITH freed AS (
    UPDATE forums
    SET leased_until = NULL,
        lease_id = NULL,
        attempts = @attempts,
        outcome = @outcome,
        message = @message,
        robots = @robots,
        next_run_at = CASE WHEN state = 'open' AND kind <> 'mbox' THEN CAST(@next AS timestamptz) END,
        kicked_at = CASE WHEN kicked_at > @started THEN kicked_at END,
        burst = CASE WHEN kicked_at > @started THEN burst ELSE false END,
        again = again AND NOT @ok,
        covered_at = CASE WHEN @ok THEN CAST(@now AS timestamptz) ELSE covered_at END,
        etag = CASE WHEN @ok THEN @etag ELSE etag END,
        last_modified = CASE WHEN @ok THEN @modified ELSE last_modified END,
        requests = requests + @requests,
        not_modified = not_modified + @same
    WHERE id = @id AND lease_id = @lease
    RETURNING id
)
UPDATE forum_runs r
SET ended_at = @now,
    requests = @requests,
    not_modified = @same,
    new = @new,
    duplicates = @duplicates,
    missing = @missing,
    outcome = @outcome,
    message = @message
FROM freed
WHERE r.id = @run
