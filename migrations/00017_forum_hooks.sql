-- +goose Up

-- A forum's webhook is an address with a secret in it, of which the hash is kept.
ALTER TABLE forums ADD COLUMN hook_hash bytea; -- SHA-256; null: it has none.
ALTER TABLE forums ADD COLUMN detected_at timestamptz; -- When somebody last said that something new is there.

-- Posts of forums are edited: what they are now is kept.
ALTER TABLE messages ADD COLUMN version integer NOT NULL DEFAULT 0; -- Counts edits from 1; 0 where messages are not edited.
ALTER TABLE messages ADD COLUMN edited_at timestamptz;

-- The hash alone says which address is meant: of two with one hash, which nobody has
-- seen yet, the second is not remembered, and asked for again. It takes half the room.
ALTER TABLE forum_urls DROP CONSTRAINT forum_urls_pkey;
ALTER TABLE forum_urls ADD PRIMARY KEY (hash);
