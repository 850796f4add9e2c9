-- Adds to cells and makes those that are new: a row for each that moved, and one, with n = 0,
-- that says how many were made. Lists that are unnested side by side in a SELECT come row by
-- row; in FROM, PostgreSQL keeps each as a table first. Looking for a row that is there is
-- cheaper than INSERT ... ON CONFLICT.
WITH given AS MATERIALIZED (
    SELECT
        generate_subscripts(CAST(@members AS bigint[]), 1) AS n,
        unnest(CAST(@objectives AS bigint[])) AS objective_id,
        unnest(CAST(@members AS bigint[])) AS member_id,
        unnest(CAST(@periods AS text[])) AS period,
        unnest(CAST(@statuses AS text[])) AS status,
        unnest(CAST(@cells AS text[])) AS cell,
        unnest(CAST(@amounts AS bigint[])) AS amount
),
moved AS (
    UPDATE objective_cells c
    SET amount = c.amount + g.amount
    FROM given g
    WHERE c.member_id = g.member_id AND c.objective_id = g.objective_id
        AND c.period = g.period AND c.status = g.status AND c.cell = g.cell
    RETURNING g.n, c.amount
),
made AS (
    INSERT INTO objective_cells (objective_id, member_id, period, status, cell, amount)
    SELECT objective_id, member_id, period, status, cell, amount
    FROM given
    WHERE amount > 0 AND n NOT IN (SELECT n FROM moved)
    RETURNING member_id
)
SELECT n, amount FROM moved
UNION ALL
SELECT 0, count(member_id) FROM made
