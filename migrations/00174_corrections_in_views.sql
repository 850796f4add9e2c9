-- +goose Up

-- The views for SQL do not count withdrawn responses as evidence either.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE replace(replace(pg_get_functiondef(CAST('archive_make_view' AS regproc)),
        'WHERE id = s.id', 'WHERE id = s.id AND withdrawn_at IS NULL'),
        'WHERE same_as = s.id', 'WHERE same_as = s.id AND withdrawn_at IS NULL');
END
$$;
-- +goose StatementEnd

CREATE OR REPLACE VIEW archive_views._responses AS
SELECT
    r.id, r.at, r.stored_at, p.source, p.address, p.viewer, r.outcome, r.message, r.facts, r.same_as,
    r.withdrawn_at, r.superseded_by, r.note
FROM archive_retrievals r
JOIN archive_pages p ON p.id = r.page_id;

SELECT archive_make_view(substr(c.relname, 7), substr(c.relname, 7))
FROM pg_class c
JOIN pg_class v ON v.relname = substr(c.relname, 7) AND v.relnamespace = CAST('archive_views' AS regnamespace)
WHERE c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relname LIKE 'shard\_%'
    AND c.relname NOT LIKE 'shard\_\_past\_%';
