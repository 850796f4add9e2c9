-- +goose Up

-- Answers of bulk checks, activity streams and canaries are kept, too.
ALTER TABLE responses ADD COLUMN kind text NOT NULL DEFAULT '';
CREATE INDEX responses_kind ON responses (source, kind, id) WHERE kind <> '';
COMMENT ON COLUMN responses.kind IS 'Of answers about no single account of a site: bulk, stream or canary; '''': any other one.';
COMMENT ON COLUMN responses.question IS 'The body of the request; '''': a GET. Of forums the step, of streams the place that was asked for, as JSON.';
