-- Brings the places of some members (@ids) up to what is stored of them, as their day at @now has
-- it. A week is seven days with today, a month 30, a year 365. What a value was a week ago is what
-- is known now of the day seven days ago: the same count with another last day.
WITH m AS MATERIALIZED (
    SELECT
        id, name, display_name, custom, banned_at IS NULL AND NOT custom AS wins, time_zone AS zone,
        CAST(CASE WHEN off_boards THEN 3 ELSE audience END AS smallint) AS shown,
        CAST(CAST(@now AS timestamptz) AT TIME ZONE time_zone AS date) AS today
    FROM members
    WHERE id = ANY(CAST(@ids AS bigint[]))
),
firsts AS MATERIALIZED (
    SELECT m.id, m.today, CAST(s.first_at AT TIME ZONE m.zone AS date) AS day
    FROM m
    JOIN solved s ON s.member_id = m.id AND s.first_at > CAST(@now AS timestamptz) - interval '375 days'
),
won AS (
    SELECT
        id,
        count(*) FILTER (WHERE day > today - 7) AS week,
        count(*) FILTER (WHERE day > today - 30) AS month,
        count(*) FILTER (WHERE day > today - 365) AS year,
        count(*) FILTER (WHERE day > today - 14 AND day <= today - 7) AS week_was,
        count(*) FILTER (WHERE day > today - 37 AND day <= today - 7) AS month_was,
        count(*) FILTER (WHERE day <= today - 7) AS year_was
    FROM firsts
    WHERE day > today - 372
    GROUP BY id
),
eight AS ( -- The last eight weeks, the oldest first.
    SELECT w.id, array_agg(CAST(coalesce(f.n, 0) AS integer) ORDER BY w.ago DESC) AS weeks
    FROM (SELECT id, generate_series(0, 7) AS ago FROM m) w
    LEFT JOIN (
        SELECT id, greatest(today - day, 0) / 7 AS ago, count(*) AS n
        FROM firsts
        GROUP BY id, greatest(today - day, 0) / 7
    ) f ON f.id = w.id AND f.ago = w.ago
    GROUP BY w.id
),
tried AS (
    SELECT
        m.id,
        sum(d.submissions) FILTER (WHERE d.day > m.today - 7) AS week,
        sum(d.submissions) FILTER (WHERE d.day > m.today - 30) AS month,
        sum(d.submissions) AS year,
        sum(d.accepted) FILTER (WHERE d.day > m.today - 7) AS week_accepted,
        sum(d.accepted) FILTER (WHERE d.day > m.today - 30) AS month_accepted,
        sum(d.accepted) AS year_accepted
    FROM m
    JOIN days d ON d.member_id = m.id AND d.day > m.today - 365
    GROUP BY m.id
),
streaks AS ( -- Days that follow each other have the same day + number, newest first.
    SELECT id, count(*) FILTER (WHERE run = newest_run AND newest >= today - 8) AS was
    FROM (
        SELECT id, today, run, max(run) OVER (PARTITION BY id) AS newest_run, newest
        FROM (
            SELECT
                m.id, m.today,
                d.day + CAST(row_number() OVER (PARTITION BY m.id ORDER BY d.day DESC) AS integer) AS run,
                max(d.day) OVER (PARTITION BY m.id) AS newest
            FROM m
            JOIN days d ON d.member_id = m.id AND d.day <= m.today - 7
        ) numbered
    ) runs
    GROUP BY id
),
sums AS (
    SELECT
        m.id, m.today,
        coalesce(s.solved, 0) AS solved,
        coalesce(s.submissions, 0) AS submissions,
        coalesce(s.accepted, 0) AS accepted,
        CASE WHEN s.last_day >= m.today - 1 THEN s.day_streak ELSE 0 END AS streak,
        coalesce(k.was, 0) AS streak_was,
        coalesce(w.week, 0) AS week,
        coalesce(w.month, 0) AS month,
        coalesce(w.year, 0) AS year,
        coalesce(w.week_was, 0) AS week_was,
        coalesce(w.month_was, 0) AS month_was,
        coalesce(w.year_was, 0) AS year_was,
        coalesce(t.week, 0) AS tried_week,
        coalesce(t.month, 0) AS tried_month,
        coalesce(t.year, 0) AS tried_year,
        coalesce(t.week_accepted, 0) AS accepted_week,
        coalesce(t.month_accepted, 0) AS accepted_month,
        coalesce(t.year_accepted, 0) AS accepted_year
    FROM m
    LEFT JOIN member_stats s ON s.member_id = m.id
    LEFT JOIN won w ON w.id = m.id
    LEFT JOIN tried t ON t.id = m.id
    LEFT JOIN streaks k ON k.id = m.id
),
rated AS (
    SELECT
        m.id, a.site,
        (array_agg(r.rating ORDER BY r.rated_at DESC, r.contest DESC))[1] AS value,
        (array_agg(r.rating ORDER BY r.rated_at DESC, r.contest DESC)
            FILTER (WHERE CAST(r.rated_at AT TIME ZONE m.zone AS date) <= m.today - 7))[1] AS was
    FROM m
    JOIN accounts a ON a.member_id = m.id
    JOIN ratings r ON r.account_id = a.id
    GROUP BY m.id, a.site
),
awarded AS (
    SELECT
        m.id,
        count(DISTINCT g.award_id) AS value,
        count(DISTINCT g.award_id) FILTER (WHERE CAST(g.granted_at AT TIME ZONE m.zone AS date) <= m.today - 7) AS was
    FROM m
    JOIN award_grants g ON g.member_id = m.id AND g.revoked_at IS NULL
    WHERE m.wins
    GROUP BY m.id
),
places AS MATERIALIZED (
    SELECT id, 'solved:all' AS board, solved AS value, nullif(solved - week, 0) AS was, submissions, accepted
    FROM sums WHERE submissions > 0
    UNION ALL
    SELECT id, 'solved:year', year, nullif(year_was, 0), tried_year, accepted_year FROM sums WHERE tried_year > 0
    UNION ALL
    SELECT id, 'solved:month', month, nullif(month_was, 0), tried_month, accepted_month FROM sums WHERE tried_month > 0
    UNION ALL
    SELECT id, 'solved:week', week, nullif(week_was, 0), tried_week, accepted_week FROM sums WHERE tried_week > 0
    UNION ALL
    SELECT id, 'streak', streak, nullif(streak_was, 0), submissions, accepted FROM sums WHERE streak > 0
    UNION ALL
    SELECT id, 'awards', a.value, nullif(a.was, 0), s.submissions, s.accepted FROM awarded a JOIN sums s USING (id)
    UNION ALL
    SELECT r.id, 'rating:' || r.site, r.value, r.was, s.submissions, s.accepted FROM rated r JOIN sums s ON s.id = r.id
),
gone AS (
    DELETE FROM standing_places p USING m
    WHERE p.member_id = m.id AND NOT EXISTS (SELECT FROM places n WHERE n.id = p.member_id AND n.board = p.board)
),
put AS (
    INSERT INTO standing_places AS p (member_id, board, shown, name, value, was, submissions, accepted)
    SELECT m.id, n.board, m.shown, lower(m.name), n.value, n.was, n.submissions, n.accepted
    FROM places n
    JOIN m ON m.id = n.id
    ON CONFLICT (member_id, board) DO UPDATE
    SET shown = EXCLUDED.shown, name = EXCLUDED.name, value = EXCLUDED.value, was = EXCLUDED.was,
        submissions = EXCLUDED.submissions, accepted = EXCLUDED.accepted
    WHERE (p.shown, p.name, p.value, p.was, p.submissions, p.accepted) IS DISTINCT FROM
        (EXCLUDED.shown, EXCLUDED.name, EXCLUDED.value, EXCLUDED.was, EXCLUDED.submissions, EXCLUDED.accepted)
),
turns AS ( -- After so many days a day leaves a window, or a streak ends, now or a week ago.
    SELECT m.id, min(n.day) AS day
    FROM m
    CROSS JOIN LATERAL (
        SELECT d.day + after.days AS day
        FROM unnest(CAST('{2,7,9,14,21,28,30,35,37,42,49,56,365,372}' AS integer[])) AS after(days)
        CROSS JOIN LATERAL (
            SELECT day FROM days WHERE member_id = m.id AND day > m.today - after.days ORDER BY day LIMIT 1
        ) d
        UNION ALL
        SELECT CAST(r.rated_at AT TIME ZONE m.zone AS date) + 7
        FROM accounts a
        JOIN ratings r ON r.account_id = a.id
        WHERE a.member_id = m.id AND CAST(r.rated_at AT TIME ZONE m.zone AS date) > m.today - 7
        UNION ALL
        SELECT CAST(g.granted_at AT TIME ZONE m.zone AS date) + 7
        FROM award_grants g
        WHERE g.member_id = m.id AND CAST(g.granted_at AT TIME ZONE m.zone AS date) > m.today - 7
    ) n
    GROUP BY m.id
)
INSERT INTO standings AS s (
    member_id, name, display_name, custom, shown, solved, submissions, accepted, streak, weeks, incomplete, turns_at
)
SELECT
    m.id, m.name, m.display_name, m.custom, m.shown, n.solved, n.submissions, n.accepted, n.streak,
    e.weeks, standing_gaps(m.id),
    CAST(t.day AS timestamp) AT TIME ZONE m.zone
FROM m
JOIN sums n ON n.id = m.id
JOIN eight e ON e.id = m.id
LEFT JOIN turns t ON t.id = m.id
ON CONFLICT (member_id) DO UPDATE
SET name = EXCLUDED.name, display_name = EXCLUDED.display_name, custom = EXCLUDED.custom,
    shown = EXCLUDED.shown, solved = EXCLUDED.solved, submissions = EXCLUDED.submissions,
    accepted = EXCLUDED.accepted, streak = EXCLUDED.streak, weeks = EXCLUDED.weeks,
    incomplete = EXCLUDED.incomplete, turns_at = EXCLUDED.turns_at
