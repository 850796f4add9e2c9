-- Keeps facts of a shard that no row says, each with the values of its key.
INSERT INTO archive_yielded (shard, at, retrieval_id, fact, key, withdrawn, still_said)
SELECT @shard, at, response, CAST(fact AS jsonb), CAST(key AS jsonb), withdrawn, still_said
FROM unnest(
    CAST(@at AS timestamptz[]), CAST(@responses AS bigint[]), CAST(@facts AS text[]), CAST(@keys AS text[]),
    CAST(@withdrawn AS boolean[]), CAST(@still AS boolean[])
) AS g(at, response, fact, key, withdrawn, still_said)
