-- Tells the columns of the views of archive_views, all or some, and whether they print otherwise than when
-- they were made on this major version of PostgreSQL.
SELECT
    c.relname AS name,
    (
        SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0
    ) AS columns,
    coalesce(split_part(d.made, ' ', 1) = CAST(CAST(current_setting('server_version_num') AS integer) / 10000 AS text)
        AND split_part(d.made, ' ', 2) <> md5(pg_get_viewdef(c.oid)), true) AS changed
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'archive_views'
CROSS JOIN LATERAL (SELECT obj_description(c.oid, 'pg_class') AS made) d
WHERE c.relkind = 'v' AND c.relname NOT LIKE '\_%' AND (@all OR c.relname = ANY(CAST(@names AS text[])))
