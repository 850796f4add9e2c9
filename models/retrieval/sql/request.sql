-- The button: resets the delays of a member and requests a fetch of each account. It returns
-- the accounts on sites that are not asked now.
WITH member AS (UPDATE members SET requested_at = @now WHERE id = @id),
asked AS (
    UPDATE account_schedule s
    SET delay = 0,
        requested_at = CASE WHEN s.state = 'paused' OR suspended THEN NULL ELSE CAST(@now AS timestamptz) END
    FROM (
        SELECT a.id, a.site IN (SELECT site FROM suspended_sites) AS suspended
        FROM accounts a
        WHERE a.member_id = @id) mine
    WHERE s.account_id = mine.id
    RETURNING s.account_id, s.site, s.state, suspended),
notified AS (
    SELECT pg_notify(@progress, CAST(CAST(@id AS bigint) AS text)),
        (SELECT count(pg_notify(@asked, site)) FROM asked WHERE state <> 'paused'))
SELECT account_id FROM asked WHERE suspended AND (SELECT count(*) FROM notified) > 0 ORDER BY account_id
