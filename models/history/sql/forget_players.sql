-- Gives players of a ranking other names, in its present places and in its past ones, and
-- returns the rows that were changed.
WITH open AS (
    UPDATE shard_ladder
    SET player = f.other
    FROM unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other)
    WHERE ladder = @ladder AND player = f.name
    RETURNING _from, CAST(NULL AS timestamptz) AS _until, _seen, _aside
),
past AS (
    UPDATE shard__past_ladder
    SET player = f.other
    FROM unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other)
    WHERE ladder = @ladder AND player = f.name
    RETURNING _from, _until, _seen, _aside
),
changed AS (
    SELECT _from, _until, _seen, _aside FROM open
    UNION ALL
    SELECT _from, _until, _seen, _aside FROM past
)
SELECT coalesce(json_agg(changed), '[]') FROM changed
