-- +goose Up

-- What the first page tells visitors of the community. A job counts it, so that no page does.
CREATE TABLE community_totals (
    one         boolean PRIMARY KEY DEFAULT true CHECK (one), -- There is one row.
    counted_at  timestamptz NOT NULL,
    members     bigint NOT NULL,
    joined      bigint NOT NULL,
    submissions bigint NOT NULL,
    solved      bigint NOT NULL,
    discussions bigint NOT NULL,
    awards      bigint NOT NULL
);
COMMENT ON TABLE community_totals IS 'The community in numbers, of everyone: they name nobody, so who hides is among them.';
COMMENT ON COLUMN community_totals.members IS 'With an account; joined: those of the last 30 days.';
COMMENT ON COLUMN community_totals.solved IS 'Problems, each for every member who solved it.';
COMMENT ON COLUMN community_totals.awards IS 'That members have, each level once.';

-- The newest awards of everybody.
CREATE INDEX award_grants_newest ON award_grants (granted_at DESC, id DESC) WHERE revoked_at IS NULL;
