-- +goose Up
-- The page of discussions shows the threads of all forums, those in which was written last first.
CREATE INDEX forum_threads_newest ON forum_threads (last_at, id);
