-- Takes the failures that opened a circuit back from their accounts, and notes when the site last
-- answered.
WITH mine AS MATERIALIZED (
    SELECT a.account_id FROM account_schedule a
    JOIN site_suspects s ON s.account_id = a.account_id AND s.site = @site AND s.at = a.last_attempt_at
    ORDER BY a.account_id
    FOR NO KEY UPDATE OF a SKIP LOCKED),
back AS (
    UPDATE account_schedule a
    SET state = s.state, failures = s.failures, failing_since = s.failing_since, not_found = s.not_found
    FROM mine, site_suspects s
    WHERE a.account_id = mine.account_id AND s.account_id = a.account_id AND s.site = @site
    RETURNING a.account_id),
answered AS (
    UPDATE site_circuits
    SET answered_at = (SELECT max(last_at) FROM site_hours WHERE site = @site AND outcome = 'ok')
    WHERE site = @site)
SELECT account_id FROM back ORDER BY account_id
