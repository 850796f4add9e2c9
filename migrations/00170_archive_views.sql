-- +goose Up

-- The archive as tables that SQL can read: a view a shard, for people and their tools. Laurel
-- itself reads none of them.
CREATE SCHEMA archive_views;
COMMENT ON SCHEMA archive_views IS 'What the archive keeps, a view a shard: docs/guide/sql.md.';

-- Makes the view of a shard by the columns of its tables. Who changes the tables of a shard
-- drops its view before, if need be, and calls this again.
-- +goose StatementBegin
CREATE FUNCTION archive_make_view(shard text, called text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    columns text;
    fields  text; -- The same, with the names that the view's own columns leave them.
BEGIN
    SELECT
        string_agg(format(', x.%I', attname), '' ORDER BY attnum),
        string_agg(format(', x.%I AS %I', attname, attname || CASE WHEN attname IN ('period', 'end_reason') THEN '_' ELSE '' END),
            '' ORDER BY attnum)
    INTO columns, fields
    FROM pg_attribute
    WHERE attrelid = CAST(format('%I', 'shard_' || shard) AS regclass) AND attnum > 0 AND NOT attisdropped AND attname NOT LIKE '\_%';
    EXECUTE format('DROP VIEW IF EXISTS archive_views.%I', called);
    EXECUTE format($view$
        CREATE VIEW archive_views.%1$I AS
        SELECT tstzrange(x._from, x._until) AS period, ARRAY(
            SELECT DISTINCT r.at
            FROM (
                SELECT unnest(x._seen) AS id
                UNION ALL
                SELECT unnest(c.seen) FROM archive_seen c WHERE c.aside = x._aside
            ) s, LATERAL (
                SELECT at FROM archive_retrievals WHERE id = s.id
                UNION ALL
                SELECT at FROM archive_retrievals WHERE same_as = s.id
            ) r
            WHERE r.at >= x._from AND (x._until IS NULL OR r.at < x._until)
            ORDER BY r.at
        ) AS retrieved_at%2$s, x._reason AS end_reason
        FROM (
            SELECT x._from, CAST(NULL AS timestamptz) AS _until, CAST(NULL AS text) AS _reason, x._seen, x._aside%3$s FROM %4$I x
            UNION ALL
            SELECT x._from, x._until, x._reason, x._seen, x._aside%3$s FROM %5$I x
        ) x$view$,
        called, fields, columns, 'shard_' || shard, 'shard__past_' || shard);
    -- PostgreSQL prints a view in words of its own, so a view is known by what it printed when
    -- it was made; another major version may print it otherwise.
    EXECUTE format('COMMENT ON VIEW archive_views.%I IS %L', called, (
        SELECT format('%s %s', current_setting('server_version_num')::integer / 10000, md5(pg_get_viewdef(
            CAST(format('archive_views.%I', called) AS regclass))))));
END
$$;
-- +goose StatementEnd

-- The lists that fields of shards name.
CREATE VIEW archive_views._lists AS
SELECT id, size, complete, items FROM archive_lists;

-- The log: one row a response. same_as is the one that showed the same before.
CREATE VIEW archive_views._responses AS
SELECT r.id, r.at, r.stored_at, p.source, p.address, p.viewer, r.outcome, r.message, r.facts, r.same_as
FROM archive_retrievals r
JOIN archive_pages p ON p.id = r.page_id;

SELECT archive_make_view(substr(relname, 7), substr(relname, 7))
FROM pg_class
WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace) AND relname LIKE 'shard\_%' AND relname NOT LIKE 'shard\_\_past\_%';
