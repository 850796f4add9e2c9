-- +goose Up

-- When the newest submission was made whose verdict may still change for a while, as in a
-- contest that is hacked and tested after its end. Until it is read again, any may be one.
ALTER TABLE accounts ADD COLUMN open_at timestamptz;
UPDATE accounts SET open_at = newest_at WHERE newest_at IS NOT NULL;
