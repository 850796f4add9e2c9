-- +goose Up

-- Grants are dated by the order in which things happened, not by that in which they came: an item
-- that is older than a grant's date may move it.
ALTER TABLE items ADD COLUMN first_at timestamptz;
COMMENT ON COLUMN items.first_at IS 'When it happened: the earliest time that any of its events gave it; null: as at says.';

ALTER TABLE award_pending ADD COLUMN changed_at timestamptz;
COMMENT ON COLUMN award_pending.changed_at IS 'When the oldest of the items happened that changed; null: any may have.';

INSERT INTO award_pending (award_id, member_id, period)
SELECT DISTINCT award_id, member_id, period FROM award_grants WHERE revoked_at IS NULL AND NOT locked;
