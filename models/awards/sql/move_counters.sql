-- Adds to counters, or sets those that are given whole, and makes those that are new; returns
-- how many it was. All of them get one version, greater than any before.
WITH given AS MATERIALIZED (
    SELECT
        generate_subscripts(CAST(@members AS bigint[]), 1) AS n,
        unnest(CAST(@objectives AS bigint[])) AS objective_id,
        unnest(CAST(@members AS bigint[])) AS member_id,
        unnest(CAST(@periods AS text[])) AS period,
        unnest(CAST(@statuses AS text[])) AS status,
        unnest(CAST(@amounts AS bigint[])) AS amount,
        unnest(CAST(@whole AS boolean[])) AS whole
),
clock AS MATERIALIZED (SELECT nextval('award_clock') AS version),
moved AS (
    UPDATE objective_counters c
    SET amount = CASE WHEN g.whole THEN g.amount ELSE c.amount + g.amount END,
        version = (SELECT version FROM clock)
    FROM given g
    WHERE c.member_id = g.member_id AND c.objective_id = g.objective_id
        AND c.period = g.period AND c.status = g.status
    RETURNING g.n
),
made AS (
    INSERT INTO objective_counters (objective_id, member_id, period, status, amount, version)
    SELECT objective_id, member_id, period, status, amount, version
    FROM given, clock
    WHERE (whole OR amount > 0) AND n NOT IN (SELECT n FROM moved)
    RETURNING member_id
)
SELECT (SELECT count(n) FROM moved) + (SELECT count(member_id) FROM made)
