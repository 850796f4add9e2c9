-- +goose Up

-- Submissions that a site counts and does not list any more, and the days of UTC
-- between which they lie; null where that is not known.
ALTER TABLE accounts ADD COLUMN missing integer NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN missing_from date;
ALTER TABLE accounts ADD COLUMN missing_until date;
