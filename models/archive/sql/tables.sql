-- Tells the tables of all shards or of some, and the archive's own, line by line: columns, indexes,
-- constraints, options and triggers.
WITH tables AS MATERIALIZED (
    SELECT oid, relname, reloptions
    FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS regnamespace)
        AND (relname LIKE 'archive\_%' OR relname LIKE 'shard\_%' AND (@all OR relname = ANY(CAST(@names AS text[]))))
)
SELECT
    t.relname AS name,
    'column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END AS line
FROM tables t
JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT
    t.relname,
    CASE WHEN i.indisvalid THEN '' ELSE 'invalid ' END || CASE WHEN i.indisunique THEN 'unique ' ELSE '' END
    || 'index ' || c.relname || ' (' || (
        SELECT string_agg(coalesce(a.attname, 'an expression'), ', ' ORDER BY n)
        FROM unnest(i.indkey) WITH ORDINALITY AS k(attnum, n)
        LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
    ) || ')' || coalesce(' where ' || pg_get_expr(i.indpred, t.oid), '')
FROM tables t
JOIN pg_index i ON i.indrelid = t.oid
JOIN pg_class c ON c.oid = i.indexrelid
UNION ALL
SELECT t.relname, 'constraint ' || pg_get_constraintdef(c.oid)
FROM tables t
JOIN pg_constraint c ON c.conrelid = t.oid
WHERE c.contype <> 'n'
UNION ALL
SELECT relname, 'options ' || CAST(reloptions AS text)
FROM tables
WHERE reloptions IS NOT NULL
UNION ALL
SELECT t.relname, 'trigger ' || g.tgname || CASE g.tgenabled WHEN 'D' THEN ' (off)' ELSE '' END
FROM tables t
JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
UNION ALL
SELECT t.relname, 'rule ' || r.rulename
FROM tables t
JOIN pg_rewrite r ON r.ev_class = t.oid
