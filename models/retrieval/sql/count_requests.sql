-- Counts requests to a site for its health, by hour and outcome.
INSERT INTO site_hours AS h (site, hour, outcome, retrievals, requests, new_rows, audit_requests, first_at, last_at,
    message)
SELECT @site, date_trunc('hour', CAST(@now AS timestamptz)), @outcome, @retrievals, @requests, @rows, @audits, @now,
    @now,
    @message
WHERE @requests > 0
ON CONFLICT (site, hour, outcome) DO UPDATE SET
    retrievals = h.retrievals + EXCLUDED.retrievals, requests = h.requests + EXCLUDED.requests,
    new_rows = h.new_rows + EXCLUDED.new_rows,
    audit_requests = h.audit_requests + EXCLUDED.audit_requests, last_at = greatest(h.last_at, EXCLUDED.last_at),
    message = EXCLUDED.message
