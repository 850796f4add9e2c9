-- Creates the accounts that are not there yet with their rows in the other tables, due at
-- once, and returns how many. Those on outside sites are never fetched. A handle whose owner wants
-- not to be read gets none.
WITH created AS (
    INSERT INTO accounts (member_id, site, handle, created_at)
    SELECT member, site, handle, @now
    FROM jsonb_to_recordset(CAST(@rows AS jsonb)) AS r(member bigint, site text, handle text)
    WHERE NOT EXISTS (SELECT FROM left_out_handles o WHERE o.site = r.site AND o.handle = lower(r.handle))
    ORDER BY member, site
    ON CONFLICT (member_id, site) DO NOTHING
    RETURNING id, site),
schedule AS (
    INSERT INTO account_schedule (account_id, site, due_at, state)
    SELECT id, site, @now,
        CASE WHEN site IN (SELECT name FROM outside_sites WHERE kind = '') THEN 'paused' ELSE 'new' END
    FROM created),
coverage AS (INSERT INTO account_coverage (account_id) SELECT id FROM created),
stats AS (INSERT INTO account_stats (account_id) SELECT id FROM created)
SELECT count(*) FROM created
