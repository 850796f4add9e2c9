-- +goose Up

-- LeetCode's calendars of all years are read now: accounts from before that are read whole once, as
-- requests allow.
UPDATE account_schedule SET audit_due_at = last_retrieved_at
WHERE site = 'leetcode' AND last_retrieved_at IS NOT NULL AND audit_due_at > last_retrieved_at;
