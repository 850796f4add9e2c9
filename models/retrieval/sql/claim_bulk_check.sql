-- Claims accounts of a site that were fetched completely, if one of them was not checked since @due.
-- Those that were not checked since @soon come along. Nothing is locked before it is time.
WITH waiting AS MATERIALIZED (
    SELECT s.account_id, s.checked_at FROM account_schedule s
    JOIN account_coverage c ON c.account_id = s.account_id
    WHERE s.site = @site AND s.state = 'active' AND s.requested_at IS NULL AND s.last_retrieved_at IS NOT NULL
        AND s.checked_at <= @soon AND s.failures = 0 AND (s.leased_until IS NULL OR s.leased_until <= @now)
        AND CASE WHEN c.missing = 0 AND c.unread = 0 THEN c.complete_until ELSE s.last_retrieved_at END <= @soon
        AND may_ask(@site, @now)
        AND NOT EXISTS ( -- What only its member may see, no question about many shows.
            SELECT FROM account_keys k WHERE k.account_id = s.account_id AND k.refused_at IS NULL)
    ORDER BY s.checked_at, s.account_id
    LIMIT @limit),
mine AS MATERIALIZED (
    SELECT s.account_id FROM account_schedule s
    JOIN waiting w ON w.account_id = s.account_id
    WHERE s.checked_at <= @soon AND (SELECT min(checked_at) <= @due FROM waiting)
    FOR NO KEY UPDATE OF s SKIP LOCKED)
UPDATE account_schedule s SET checked_at = @now FROM mine WHERE s.account_id = mine.account_id
RETURNING s.account_id
