-- +goose Up

-- Messages know the raw answer that they were read from: such answers are kept for good, and a
-- mended reader reads the message in them again.
ALTER TABLE messages ADD COLUMN response_id bigint REFERENCES responses ON DELETE SET NULL;
CREATE INDEX messages_response ON messages (response_id) WHERE response_id IS NOT NULL;
COMMENT ON COLUMN messages.response_id IS 'The raw answer that it was read from; null: of a file, or from before answers were kept.';
COMMENT ON COLUMN responses.question IS 'The body of the request; '''': a GET. Of forums: the step that was asked, as JSON.';
COMMENT ON COLUMN responses.lasting IS 'Never pruned: messages were read from it.';
