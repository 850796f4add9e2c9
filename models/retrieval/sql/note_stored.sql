-- Notes what was stored of an account, and reports the progress to its member's pages.
WITH coverage AS (
    UPDATE account_coverage SET cursor = @cursor, open_at = greatest(open_at, CAST(@open AS timestamptz))
    WHERE account_id = @id),
stats AS (
    UPDATE account_stats
    SET new_rows = new_rows + @new, pending_from = least(pending_from, CAST(@from AS timestamptz))
    WHERE account_id = @id AND (@new > 0 OR CAST(@from AS timestamptz) IS NOT NULL))
SELECT pg_notify(@progress, CAST(CAST(@member AS bigint) AS text))
