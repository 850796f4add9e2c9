-- Stores answers in their order, and those of their bodies that are not there. A body that
-- is there is locked: nobody removes it before this transaction ends.
WITH bodies AS (
    INSERT INTO response_bodies AS b (hash, body, size)
    SELECT hash, body, size
    FROM unnest(CAST(@hashes AS bytea[]), CAST(@bodies AS bytea[]), CAST(@sizes AS integer[])) AS g(hash, body, size)
    ORDER BY hash
    ON CONFLICT (hash) DO UPDATE SET size = b.size
    RETURNING hash)
INSERT INTO responses (source, fetch_id, forum_id, address, question, status, header, retrieved_at, readable,
    lasting, body_hash, kind)
SELECT r.source, CAST(@fetch AS text), nullif(CAST(@forum AS bigint), 0), r.address, r.question, r.status, r.header,
    @now, r.readable, r.lasting, (CAST(@hashes AS bytea[])) [r.body], @kind
FROM ROWS FROM (jsonb_to_recordset(CAST(@rows AS jsonb))
    AS (source text, address text, question text, status integer, header jsonb, readable boolean, lasting boolean,
        body integer)) WITH ORDINALITY
    AS r(source, address, question, status, header, readable, lasting, body, place)
WHERE (SELECT count(*) FROM bodies) > 0
ORDER BY r.place
RETURNING id
