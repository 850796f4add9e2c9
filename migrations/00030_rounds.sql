-- +goose Up

-- What a question about many accounts said of an account's rating.
ALTER TABLE accounts
    ADD COLUMN rating_told      integer,     -- The rating; null: it has none, or nobody was told.
    ADD COLUMN ratings_known_at timestamptz; -- When that was the newest of those that are stored; null: it was not.
