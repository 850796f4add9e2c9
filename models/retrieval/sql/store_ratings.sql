-- Makes the stored ratings of an account equal to the given ones. It returns the contests whose
-- rating is new or other than it was.
WITH given AS (
    SELECT DISTINCT ON (contest) contest, name, url, rank, rating, at
    FROM jsonb_to_recordset(CAST(@ratings AS jsonb)) AS r(contest text, name text, url text, rank integer,
        rating integer, at timestamptz)),
gone AS (DELETE FROM ratings WHERE account_id = @id AND contest NOT IN (SELECT contest FROM given)),
changed AS (
    INSERT INTO ratings AS o (account_id, contest, name, url, rank, rating, rated_at, seen_at)
    SELECT @id, contest, name, url, rank, rating, at, CAST(@now AS timestamptz) FROM given
    ON CONFLICT (account_id, contest) DO UPDATE SET name = EXCLUDED.name, url = EXCLUDED.url, rank = EXCLUDED.rank,
        rating = EXCLUDED.rating, rated_at = EXCLUDED.rated_at, seen_at = EXCLUDED.seen_at
    WHERE (o.name, o.url, o.rank, o.rating, o.rated_at)
        <> (EXCLUDED.name, EXCLUDED.url, EXCLUDED.rank, EXCLUDED.rating, EXCLUDED.rated_at)
    RETURNING o.contest)
SELECT coalesce(CAST(json_agg(contest) AS text), '') FROM changed
