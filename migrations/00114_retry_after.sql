-- +goose Up

-- Evidence has its source's name: seen_at of this one is the moment that the site names.
UPDATE account_evidence SET source = 'retry_after' WHERE source = 'wish';
