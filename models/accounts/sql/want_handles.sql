-- Stores new handles that are to be looked up, and has their accounts read at once.
WITH given AS (
    SELECT account, handle FROM jsonb_to_recordset(CAST(@rows AS jsonb)) AS r(account bigint, handle text)),
wanted AS (
    INSERT INTO wanted_handles (account_id, handle, asked_at)
    SELECT account, handle, @now FROM given
    ON CONFLICT (account_id) DO UPDATE
    SET handle = EXCLUDED.handle, asked_at = EXCLUDED.asked_at, refused_at = NULL),
asked AS (
    UPDATE account_schedule
    SET delay = 0, requested_at = @now
    WHERE account_id IN (SELECT account FROM given) AND site NOT IN (SELECT site FROM suspended_sites)
    RETURNING site)
SELECT count(pg_notify(@asked, site)) FROM asked
