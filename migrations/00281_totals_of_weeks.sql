-- +goose Up

-- What was solved this week and in the week before, for visitors. Zero until the job counts next.
ALTER TABLE community_totals
    ADD COLUMN solved_week bigint NOT NULL DEFAULT 0,
    ADD COLUMN solved_before bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN community_totals.solved_week IS
    'Problems that members solved first in their last seven days; solved_before: in the seven before.';
