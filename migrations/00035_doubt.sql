-- +goose Up

-- Somebody was on the site, and what the list of what all submit shows does not explain it. The
-- moment since which that may be is settled by a look that begins after it.
ALTER TABLE accounts ADD COLUMN doubt_since timestamptz;
