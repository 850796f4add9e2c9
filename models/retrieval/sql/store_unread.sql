-- Stores rows that could not be read, and counts those that were not known. Of very many of an
-- account the texts are left out.
WITH listed AS (
    SELECT DISTINCT ON (key) key, text, why, since
    FROM jsonb_to_recordset(CAST(@rows AS jsonb)) AS r(key text, text text, why text, since timestamptz)
    ORDER BY key, since DESC NULLS LAST),
stored AS (
    INSERT INTO unread_rows AS u (account_id, key, text, why, since, first_seen_at, last_seen_at)
    SELECT @id, key, CASE WHEN (SELECT count(*) FROM unread_rows WHERE account_id = @id) < @texts THEN text ELSE '' END,
        why, since, @at, @at
    FROM listed
    ON CONFLICT (account_id, key) DO UPDATE SET why = EXCLUDED.why, since = coalesce(EXCLUDED.since, u.since),
        text = CASE WHEN EXCLUDED.text = '' THEN u.text ELSE EXCLUDED.text END,
        last_seen_at = greatest(u.last_seen_at, EXCLUDED.last_seen_at)
    RETURNING xmax = 0 AS added)
SELECT count(*) FILTER (WHERE added) FROM stored
