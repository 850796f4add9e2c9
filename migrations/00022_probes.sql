-- +goose Up

-- When a site was last asked about many accounts at once. The epoch is never.
ALTER TABLE accounts ADD COLUMN probed_at timestamptz NOT NULL DEFAULT 'epoch';
CREATE INDEX accounts_probed ON accounts (site, probed_at) WHERE state = 'active' AND requested_at IS NULL AND last_retrieved_at IS NOT NULL;
