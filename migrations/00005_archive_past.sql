-- +goose Up

-- The rows of each shard that have ended move to a table of their own,
-- shard__past_NAME, to which rows are only added. The table of the open ones then
-- has one row for each key, which is written anew in its place, and its indexes
-- need no condition. A past row after which its key went on with the same unique
-- values (_goes_on) is left out of their indexes; of those from before, none is.

-- +goose StatementBegin
DO $$
DECLARE
    shard  text;
    fields text; -- With their types.
    names  text;
    index  record;
BEGIN
    FOR shard IN
        SELECT name FROM archive_shards UNION ALL
        SELECT unnest(ARRAY['account_contest', 'account_counts', 'account_name', 'account_place', 'account_rank', 'account_rating', 'account_title',
            'account_totals', 'ladder', 'ladder_list', 'member_person', 'member_streaks', 'member_totals'])
    LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO shard__before', 'shard_' || shard);
        -- The archive's own columns begin with an underscore, which no field does.
        SELECT string_agg(format('%I %s%s, ', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN ' NOT NULL' END), '' ORDER BY attnum),
            string_agg(format('%I, ', attname), '' ORDER BY attnum)
        INTO fields, names
        FROM pg_attribute WHERE attrelid = CAST('shard__before' AS regclass) AND attnum > 0 AND NOT attisdropped AND attname !~ '^_';

        EXECUTE format('CREATE TABLE %I (%s _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint) WITH (fillfactor = 50)',
            'shard_' || shard, fields);
        EXECUTE format('INSERT INTO %I SELECT %s _from, _seen, _aside FROM shard__before WHERE _until IS NULL', 'shard_' || shard, names);
        EXECUTE format('CREATE TABLE %I (%s _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL, _seen bigint[] NOT NULL, _aside bigint,
            _goes_on boolean NOT NULL, CHECK (_from < _until))', 'shard__past_' || shard, fields);
        -- A row without a reason is one that a check finds: it is still found.
        EXECUTE format('INSERT INTO %I SELECT %s _from, _until, coalesce(_reason, ''''), _seen, _aside, false FROM shard__before WHERE _until IS NOT NULL ORDER BY _until',
            'shard__past_' || shard, names);

        FOR index IN
            SELECT substr(c.relname, length('shard_' || shard) + 2) AS name, (
                SELECT string_agg(pg_get_indexdef(c.oid, n, false), ', ' ORDER BY n) FROM generate_series(1, i.indnatts) n) AS columns, i.indisunique AS is_unique
            FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE i.indrelid = CAST('shard__before' AS regclass) AND c.relname !~ '_past$' ORDER BY c.oid
        LOOP
            EXECUTE format('DROP INDEX %I', 'shard_' || shard || '_' || index.name); -- Its name is taken over.
            IF index.is_unique THEN -- key_open, u1_open, ...
                EXECUTE format('CREATE UNIQUE INDEX %I ON %I (%s)', 'shard_' || shard || '_' || index.name, 'shard_' || shard, index.columns);
                EXECUTE format('CREATE UNIQUE INDEX %I ON %I (%s, _from)%s', 'shard__past_' || shard || '_' || replace(index.name, '_open', ''), 'shard__past_' || shard,
                    index.columns, CASE WHEN index.name <> 'key_open' THEN ' WHERE NOT _goes_on' END);
            ELSE -- scope
                EXECUTE format('CREATE INDEX %I ON %I (%s)', 'shard_' || shard || '_' || index.name, 'shard_' || shard, index.columns);
                EXECUTE format('CREATE INDEX %I ON %I (%s)', 'shard__past_' || shard || '_' || index.name, 'shard__past_' || shard, index.columns);
            END IF;
        END LOOP;
        DROP TABLE shard__before;
    END LOOP;
END $$;
-- +goose StatementEnd
