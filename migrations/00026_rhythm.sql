-- +goose Up

-- How often an account has something new (days with submissions per day, the older
-- the less they count, at activity_at) and the hour of UTC after which its days are
-- usually over; null where that is not known.
ALTER TABLE accounts ADD COLUMN activity double precision NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN activity_at timestamptz;
ALTER TABLE accounts ADD COLUMN usual_hour smallint;
