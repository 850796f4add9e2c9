-- +goose Up

-- Where a first reading that was interrupted goes on, in the words of the site's
-- reader; '' where there is nothing to go on with.
ALTER TABLE accounts ADD COLUMN place text NOT NULL DEFAULT '';
-- Some sites tell only the minute; submitted_at is then its beginning.
ALTER TABLE submissions ADD COLUMN to_minute boolean NOT NULL DEFAULT false;
