-- +goose Up

-- Rows that were stored before Laurel knew of contests and participation get both from one whole
-- reading of their account, within what audits may ask for.
UPDATE account_schedule s
SET audit_due_at = least(audit_due_at, now())
WHERE state = 'active' AND account_id IN (
    SELECT account_id FROM submissions WHERE participation IS NULL AND contest_id IS NULL AND source = 'site');
