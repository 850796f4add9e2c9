-- Stores that a page could not be had, with when it is asked for again. No row is returned
-- where the lease is somebody else's.
INSERT INTO forum_gaps AS g (forum_id, address, period, step, reason, first_at, tried_at, due_at)
SELECT
    id, @address, @period, @step, @reason, @now, @now,
    CAST(@now AS timestamptz) + CASE WHEN @month THEN interval '30 days' ELSE interval '0' END
FROM forums
WHERE id = @forum AND lease_id = @lease
ON CONFLICT (forum_id, address) DO UPDATE
SET period = EXCLUDED.period,
    step = EXCLUDED.step,
    reason = EXCLUDED.reason,
    tries = g.tries + 1,
    tried_at = EXCLUDED.tried_at,
    due_at = CASE
        WHEN @month THEN EXCLUDED.due_at
        ELSE EXCLUDED.tried_at + least(power(2, least(g.tries, 20)), 720) * interval '1 hour'
    END
RETURNING address, period, step, reason, tries, first_at, tried_at, due_at
