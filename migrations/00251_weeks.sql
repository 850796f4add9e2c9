-- +goose Up

-- What members solved in each of their last eight weeks, as leaderboards show it.
ALTER TABLE standings ADD COLUMN weeks integer[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN standings.weeks IS
    'Problems solved first in each of the last eight weeks of seven days, the oldest first; the last one ends today.';

INSERT INTO standing_due (member_id) SELECT member_id FROM standings WHERE turns_at IS NOT NULL;
