-- Rows of the ledger that keep nothing any more, as they were read, by their rev.
DELETE FROM items i
USING unnest(CAST(@sources AS text[]), CAST(@keys AS text[]), CAST(@revs AS bigint[])) AS g(source, key, rev)
WHERE i.source = g.source AND i.key = g.key AND i.rev = g.rev
