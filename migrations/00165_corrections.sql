-- +goose Up

-- What is known can be corrected. A response that was superseded or retracted stays in the
-- log and says so, and what it showed stays with it, so that the archive can be read as it
-- was believed at any time.
ALTER TABLE archive_retrievals
ADD COLUMN withdrawn_at timestamptz, -- Since when it is not believed; null: it is.
ADD COLUMN superseded_by bigint, -- The response that says it better; null: nobody does.
ADD COLUMN withdrawn_by bigint, -- The member who retracted it.
ADD COLUMN note text; -- Why.
COMMENT ON COLUMN archive_retrievals.withdrawn_at IS 'Since when the response is not believed; null: it is.';
COMMENT ON COLUMN archive_retrievals.superseded_by IS 'The response that says better what this one said.';
COMMENT ON COLUMN archive_retrievals.withdrawn_by IS 'The member who retracted it, who may be gone.';

-- A row of the log that nobody withdrew has the text that it always had.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION archive_line(r archive_retrievals) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT (jsonb_build_array(
        r.id, r.page_id, CAST(extract(epoch FROM r.at) * 1000000 AS bigint),
        CAST(extract(epoch FROM r.stored_at) * 1000000 AS bigint), r.outcome, encode(r.hash, 'hex'), r.same_as, r.facts,
        r.altered, r.locks, r.message, r.content
    ) || CASE WHEN r.withdrawn_at IS NULL THEN '[]' ELSE jsonb_build_array(
        CAST(extract(epoch FROM r.withdrawn_at) * 1000000 AS bigint), r.superseded_by, r.withdrawn_by, r.note
    ) END)::text
$$;
-- +goose StatementEnd

-- Set aside is what a response showed and no row says: because another response of its instant
-- is believed (then retrieval_id is the one that showed it first), or because the response was withdrawn
-- (then it is the response itself).
ALTER TABLE archive_yielded
ADD COLUMN withdrawn boolean NOT NULL DEFAULT false,
ADD COLUMN still_said boolean NOT NULL DEFAULT false,
ADD COLUMN key jsonb NOT NULL DEFAULT '[]'; -- The values of the key fields.
COMMENT ON TABLE archive_yielded IS 'Facts that were set aside: no row says them.';
COMMENT ON COLUMN archive_yielded.withdrawn IS 'The response was withdrawn; else another response of its instant is believed.';
COMMENT ON COLUMN archive_yielded.still_said IS 'The response that supersedes it says the same.';
UPDATE archive_yielded y
SET key = jsonb_path_query_array(y.fact, '$[0 to $n]', jsonb_build_object('n', i.indnkeyatts - 2))
FROM pg_class c
JOIN pg_index i ON i.indexrelid = c.oid
WHERE c.relname = 'shard__past_' || y.shard || '_key' AND c.relnamespace = CAST(current_schema() AS regnamespace);
CREATE INDEX archive_yielded_key ON archive_yielded (shard, key);
CREATE INDEX archive_yielded_response ON archive_yielded (retrieval_id);
