-- The accounts that are read whole again now: of each site the one that has waited longest, where
-- what it takes stays within a tenth of the site's requests. That is as many requests as the last
-- time, and those for the rows since then on pages as long (12 rows at least). One that takes more
-- than that tenth, if nothing else is read whole, keeps nobody waiting.
WITH spent AS MATERIALIZED (
    SELECT site, sum(requests) AS requests, sum(audit_requests) AS audits FROM site_hours
    GROUP BY site)
SELECT s.account_id
FROM spent
CROSS JOIN LATERAL (
    SELECT f.account_id, w.takes
    FROM (
        SELECT account_id, audit_requests, audited_at, audit_due_at FROM account_schedule
        WHERE site = spent.site AND state = 'active' AND audit_at IS NULL AND audit_due_at <= @now
            AND (leased_until IS NULL OR leased_until <= @now) AND 9 * audit_requests <= spent.requests
        ORDER BY audit_due_at
        OFFSET 0) f -- In this order, one after another, until one fits.
    JOIN accounts a ON a.id = f.account_id
    JOIN account_stats t ON t.account_id = f.account_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS since FROM submissions r
        WHERE r.member_id = a.member_id AND r.account_id = a.id AND r.submitted_at > f.audited_at) n
    CROSS JOIN LATERAL (
        SELECT f.audit_requests
            + ceil(n.since / greatest(12.0, (t.submissions - n.since) / greatest(f.audit_requests, 1.0))) AS takes) w
    WHERE 9 * w.takes <= spent.requests
    ORDER BY f.audit_due_at
    LIMIT 1) s
WHERE 10 * (spent.audits + s.takes) <= spent.requests + s.takes AND may_ask(spent.site, @now)
    AND NOT EXISTS ( -- One at a time, but for one that does not come to an end.
        SELECT FROM account_schedule o
        WHERE o.site = spent.site AND o.audit_at > CAST(@now AS timestamptz) - interval '3 days')
ORDER BY s.account_id
