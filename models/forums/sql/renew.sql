-- Renews a lease, and stores how far its run is. Returns the state of the forum, or no row
-- where the lease is somebody else's.
WITH leased AS (
    UPDATE forums
    SET leased_until = @until
    WHERE id = @id AND lease_id = @lease
    RETURNING state
),
reported AS (
    UPDATE forum_runs
    SET requests = @requests, not_modified = @same, new = @new, duplicates = @duplicates
    WHERE id = @run
)
SELECT state
FROM leased
