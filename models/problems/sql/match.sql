-- Joins problems that two divisions of a round share, among those that were not compared yet: of one
-- name, in contests that begin within ten minutes. A catalogue shows a shared problem under one of its
-- keys, and that one is canonical. Two that it shows both are the same only if they are rated alike:
-- a harder version often has the same name. At most @most at a time; it returns how many are new.
WITH fresh AS MATERIALIZED (
    SELECT p.id, p.name FROM problems p
    WHERE p.site = @site AND NOT p.matched AND p.name <> '' AND EXISTS (
        SELECT FROM contest_problems l
        JOIN contests c ON c.id = l.contest_id AND c.starts_at IS NOT NULL
        WHERE l.problem_id = p.id)
    ORDER BY p.id
    LIMIT @most),
named AS MATERIALIZED (
    SELECT p.id, p.key, p.name, p.difficulty, p.listed_at, p.canonical_id, p.matched, c.id AS contest_id, c.starts_at
    FROM problems p
    JOIN contest_problems l ON l.problem_id = p.id
    JOIN contests c ON c.id = l.contest_id AND c.starts_at IS NOT NULL
    WHERE p.site = @site AND p.name IN (SELECT name FROM fresh)),
same AS (
    SELECT a.id, b.id AS other, b.listed_at
    FROM named a
    JOIN named b ON b.name = a.name AND b.contest_id <> a.contest_id
        AND b.starts_at BETWEEN a.starts_at - interval '10 minutes' AND a.starts_at + interval '10 minutes'
    WHERE b.id <> a.id AND coalesce(a.difficulty = b.difficulty, a.listed_at IS NULL OR b.listed_at IS NULL)
    UNION
    SELECT id, id, listed_at FROM named),
best AS MATERIALIZED (
    SELECT DISTINCT ON (id) id, nullif(other, id) AS canonical_id FROM same ORDER BY id, listed_at IS NULL, other),
locked AS MATERIALIZED (
    SELECT p.id FROM problems p
    JOIN best b ON b.id = p.id
    WHERE NOT p.matched OR p.canonical_id IS DISTINCT FROM b.canonical_id
    ORDER BY p.key
    FOR NO KEY UPDATE OF p),
joined AS (
    UPDATE problems p SET canonical_id = b.canonical_id, matched = true
    FROM best b
    WHERE p.id = b.id AND p.id IN (SELECT id FROM locked)
    RETURNING p.id)
SELECT (SELECT count(*) FROM fresh) AS fresh, (SELECT count(*) FROM joined) AS joined
