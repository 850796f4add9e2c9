-- Writes plans: when accounts are due, and why. Nothing else writes due_at.
WITH plan AS MATERIALIZED (
    SELECT id, due, reason, delay, retrieved, complete, checked
    FROM jsonb_to_recordset(CAST(@plans AS jsonb)) AS p(id bigint, due timestamptz, reason text, delay integer,
        retrieved timestamptz, complete timestamptz, checked timestamptz)),
schedule AS (
    UPDATE account_schedule s
    SET due_at = plan.due, reason = plan.reason, delay = plan.delay, last_retrieved_at = plan.retrieved,
        checked_at = plan.checked
    FROM plan WHERE s.account_id = plan.id)
UPDATE account_coverage c SET complete_until = plan.complete
FROM plan
WHERE c.account_id = plan.id AND c.complete_until IS DISTINCT FROM plan.complete
