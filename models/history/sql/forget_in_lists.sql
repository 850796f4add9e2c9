-- Gives players of a ranking other names in its lists. A list is named by its content: one
-- that was changed gets another name (@mark), or it would be taken for what it was, if
-- that is ever seen again.
WITH lists AS (
    UPDATE archive_lists l
    SET id = id || @mark,
        items = (
            SELECT jsonb_agg(
                CASE WHEN f.name IS NULL THEN i ELSE jsonb_set(i, '{player}', to_jsonb(f.other)) END
                ORDER BY n
            )
            FROM jsonb_array_elements(l.items) WITH ORDINALITY x(i, n)
            LEFT JOIN unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other) ON f.name = i ->> 'player'
        )
    WHERE id IN (
            SELECT list FROM shard_ladder_list WHERE ladder = @ladder
            UNION ALL
            SELECT list FROM shard__past_ladder_list WHERE ladder = @ladder
        )
        AND EXISTS (SELECT FROM jsonb_array_elements(l.items) i WHERE i ->> 'player' = ANY(CAST(@names AS text[])))
    RETURNING id
),
open AS (
    UPDATE shard_ladder_list
    SET list = list || @mark
    WHERE ladder = @ladder AND list || @mark IN (SELECT id FROM lists)
    RETURNING _from, CAST(NULL AS timestamptz) AS _until, _seen, _aside
),
past AS (
    UPDATE shard__past_ladder_list
    SET list = list || @mark
    WHERE ladder = @ladder AND list || @mark IN (SELECT id FROM lists)
    RETURNING _from, _until, _seen, _aside
),
changed AS (
    SELECT _from, _until, _seen, _aside FROM open
    UNION ALL
    SELECT _from, _until, _seen, _aside FROM past
)
SELECT coalesce(json_agg(changed), '[]') FROM changed
