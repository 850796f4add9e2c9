-- Gives players of a ranking other names, in its present places and in its past ones.
WITH open AS (
    UPDATE shard_ladder
    SET player = f.other
    FROM unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other)
    WHERE ladder = @ladder AND player = f.name
)
UPDATE shard__past_ladder
SET player = f.other
FROM unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other)
WHERE ladder = @ladder AND player = f.name
