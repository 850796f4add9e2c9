-- +goose Up

-- Declarations of shards change in place. Each one that was accepted is a version; archive_shards has the newest.
CREATE TABLE archive_shard_versions (
    shard       text NOT NULL, -- As archive_shards names it.
    number      integer NOT NULL,
    declaration jsonb NOT NULL,
    at          timestamptz NOT NULL,
    member_id   bigint REFERENCES members (id) ON DELETE SET NULL, -- Who changed it.
    note        text NOT NULL DEFAULT '',
    PRIMARY KEY (shard, number)
);
CREATE INDEX archive_shard_versions_member ON archive_shard_versions (member_id);

INSERT INTO archive_shard_versions (shard, number, declaration, at)
SELECT name, 1, declaration, created_at
FROM archive_shards;

-- As before, and for shards with fields that were added later: not_asked names those of them that a row
-- has no value of because nobody asked for it. Views of former names of a shard are the same.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION archive_make_view(shard text, called text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    columns text;
    fields  text; -- The same, with the names that the view's own columns leave them.
    added   text; -- The fields that were added later, each with the bit of _asked that it has.
BEGIN
    IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = CAST(format('%I', 'shard_' || shard) AS regclass) AND attname = '_asked') THEN
        SELECT ', ARRAY(SELECT f.name FROM (VALUES ' || string_agg(format('(%s, %L)', bit - 1, name), ', ' ORDER BY bit)
            || ') f (bit, name) WHERE x._asked >> f.bit & 1 = 0 ORDER BY f.bit) AS not_asked'
        INTO added
        FROM (
            SELECT f ->> 'name' AS name, row_number() OVER (ORDER BY n) AS bit
            FROM archive_shards s, jsonb_array_elements(s.declaration -> 'data') WITH ORDINALITY AS d (f, n)
            WHERE s.name = shard AND jsonb_exists(s.declaration -> 'since', f ->> 'name')
        ) a;
    END IF;
    SELECT
        string_agg(format(', x.%I', attname), '' ORDER BY attnum),
        string_agg(format(', x.%I AS %I', attname, attname || CASE WHEN attname IN ('period', 'end_reason') THEN '_' ELSE '' END), '' ORDER BY attnum)
    INTO columns, fields
    FROM pg_attribute
    WHERE attrelid = CAST(format('%I', 'shard_' || shard) AS regclass) AND attnum > 0 AND NOT attisdropped AND attname NOT LIKE '\_%';
    IF added IS NOT NULL THEN
        columns := columns || ', x._asked';
        fields := fields || added;
    END IF;
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
                SELECT at FROM archive_retrievals WHERE id = s.id AND withdrawn_at IS NULL
                UNION ALL
                SELECT at FROM archive_retrievals WHERE same_as = s.id AND withdrawn_at IS NULL
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
