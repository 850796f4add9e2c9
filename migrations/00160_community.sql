-- +goose Up

-- The picture beside the community's name. Its name and texts are settings.
CREATE TABLE community_logo (
    id        boolean PRIMARY KEY DEFAULT true CHECK (id),
    picture   bytea NOT NULL,
    hash      text NOT NULL,
    stored_at timestamptz NOT NULL
);
COMMENT ON TABLE community_logo IS 'The picture beside the community''s name: at most one.';
COMMENT ON COLUMN community_logo.id IS 'True: there is one row at most.';
COMMENT ON COLUMN community_logo.picture IS 'PNG as Laurel has written it, whatever was uploaded.';
COMMENT ON COLUMN community_logo.hash IS 'Of the picture, for its address and its ETag.';
