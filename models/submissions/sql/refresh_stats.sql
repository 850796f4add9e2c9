-- Counts a member's totals and streaks again: days in a row with a submission, and
-- accepted submissions in a row (one that is still judged neither counts nor breaks).
-- Rows of one streak have the same difference between their number and their number
-- among their like: its island. What a site counts and does not list counts for the totals
-- and the days, not for accepted submissions in a row.
WITH islands AS (
    SELECT day, day - CAST(row_number() OVER (ORDER BY day) AS integer) AS island
    FROM days
    WHERE member_id = @id
),
day_runs AS (
    SELECT count(*) AS n, max(day) AS last FROM islands GROUP BY island
),
judged AS (
    SELECT
        status = 'AC' AS ok,
        row_number() OVER w AS i,
        row_number() OVER w - row_number() OVER (PARTITION BY status = 'AC' ORDER BY submitted_at, id) AS island
    FROM submissions
    WHERE member_id = @id AND status <> 'PENDING'
    WINDOW w AS (ORDER BY submitted_at, id)
),
ac_runs AS (
    SELECT count(*) AS n, max(i) AS last FROM judged WHERE ok GROUP BY island
),
totals AS (
    SELECT
        coalesce(sum(submissions), 0) AS submissions,
        coalesce(sum(accepted), 0) AS accepted,
        coalesce(sum(solved), 0) AS solved,
        coalesce(sum(greatest(reported_submissions - submissions, 0)) FILTER (WHERE missing > 0), 0) AS more,
        coalesce(sum(greatest(reported_solved - solved, 0)) FILTER (WHERE missing > 0), 0) AS more_solved,
        max(newest_at) AS newest_at
    FROM account_details
    WHERE member_id = @id
)
INSERT INTO member_stats AS s (
    member_id, submissions, accepted, solved, day_streak, best_day_streak, last_day, ac_streak, best_ac_streak,
    newest_at, undetailed_submissions, undetailed_solved
)
SELECT
    @id,
    t.submissions + t.more,
    t.accepted,
    t.solved + t.more_solved,
    coalesce((SELECT n FROM day_runs ORDER BY last DESC LIMIT 1), 0),
    coalesce((SELECT max(n) FROM day_runs), 0),
    (SELECT max(last) FROM day_runs),
    coalesce((SELECT n FROM ac_runs WHERE last = (SELECT count(*) FROM judged)), 0),
    coalesce((SELECT max(n) FROM ac_runs), 0),
    t.newest_at,
    t.more,
    t.more_solved
FROM totals t
ON CONFLICT (member_id) DO UPDATE
SET submissions = EXCLUDED.submissions,
    accepted = EXCLUDED.accepted,
    solved = EXCLUDED.solved,
    day_streak = EXCLUDED.day_streak,
    best_day_streak = EXCLUDED.best_day_streak,
    last_day = EXCLUDED.last_day,
    ac_streak = EXCLUDED.ac_streak,
    best_ac_streak = EXCLUDED.best_ac_streak,
    newest_at = EXCLUDED.newest_at,
    undetailed_submissions = EXCLUDED.undetailed_submissions,
    undetailed_solved = EXCLUDED.undetailed_solved
