-- The accounts that are read whole again now: of each site the one that has waited longest, where
-- what it takes stays within a tenth of the site's requests. One that is larger than that tenth, if
-- nothing else is read whole, keeps nobody waiting.
SELECT s.account_id
FROM (
    SELECT site, sum(requests) AS requests, sum(audit_requests) AS audits FROM site_hours
    WHERE hour > @since GROUP BY site) spent
CROSS JOIN LATERAL (
    SELECT account_id, audit_requests FROM account_schedule
    WHERE site = spent.site AND state = 'active' AND audit_at IS NULL AND audit_due_at <= @now
        AND (leased_until IS NULL OR leased_until <= @now) AND 9 * audit_requests <= spent.requests
    ORDER BY audit_due_at
    LIMIT 1) s
WHERE 10 * (spent.audits + s.audit_requests) <= spent.requests + s.audit_requests AND may_ask(spent.site, @now)
    AND NOT EXISTS ( -- One at a time, but for one that does not come to an end.
        SELECT FROM account_schedule o
        WHERE o.site = spent.site AND o.audit_at > CAST(@now AS timestamptz) - interval '3 days')
ORDER BY s.account_id
