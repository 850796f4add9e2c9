-- +goose Up

-- What a post was called before its first look told its true name: by its author's
-- handle, or by a copy on another server. Who knew it so finds it still.
CREATE TABLE post_names (
    network text NOT NULL,
    host    text NOT NULL DEFAULT '',
    name    text NOT NULL,
    post_id bigint NOT NULL REFERENCES posts ON DELETE CASCADE,
    PRIMARY KEY (network, host, name)
);
CREATE INDEX post_names_post ON post_names (post_id);
