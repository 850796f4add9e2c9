-- The button: resets the delays of a member and requests a fetch of each account. It returns
-- the accounts on sites that are not asked now.
WITH member AS (UPDATE members SET requested_at = @now WHERE id = @id),
asked AS (
    UPDATE accounts
    SET delay = 0,
        requested_at = CASE WHEN state = 'paused' OR held THEN NULL ELSE CAST(@now AS timestamptz) END
    FROM (
        SELECT a.id AS aid, EXISTS (
            SELECT FROM site_circuits c
            WHERE c.site = a.site AND (c.paused_at IS NOT NULL OR c.state <> 'closed')) AS held
        FROM accounts a WHERE a.member_id = @id) h
    WHERE id = aid AND member_id = @id
    RETURNING id, site, state, held),
told AS (
    SELECT pg_notify(@progress, CAST(CAST(@id AS bigint) AS text)),
        (SELECT count(pg_notify(@asked, site)) FROM asked WHERE state <> 'paused'))
SELECT id FROM asked WHERE held AND (SELECT count(*) FROM told) > 0 ORDER BY id
