-- The members by solved problems, behind the one of @solved problems and @name: in the last
-- @days days, or at any time where that is 0. Nobody without a submission has a rank, nobody who
-- stays off the boards, and nobody whom @asking may not see.
--
-- The sums of days do not know which problems were solved, so those are counted on the
-- submissions of the same days. A problem that was solved before and again counts.
WITH counted AS (
    SELECT member_id, solved, submissions, accepted
    FROM member_stats
    WHERE @days = 0 AND submissions > 0
    UNION ALL
    SELECT d.member_id, s.solved, sum(d.submissions), sum(d.accepted)
    FROM (
        SELECT
            id, time_zone,
            CAST(CAST(@now AS timestamptz) AT TIME ZONE time_zone AS date) - CAST(@days AS integer) + 1 AS first
        FROM members
        WHERE @days > 0
    ) m
    JOIN days d ON d.member_id = m.id AND d.day >= m.first
    CROSS JOIN LATERAL (
        SELECT count(DISTINCT problem_id) AS solved
        FROM submissions
        WHERE member_id = m.id AND status = 'AC' AND submitted_at >= CAST(m.first AS timestamp) AT TIME ZONE m.time_zone
    ) s
    GROUP BY d.member_id, s.solved
),
ranked AS (
    SELECT
        m.name, m.display_name, m.custom,
        rank() OVER (ORDER BY c.solved DESC) AS rank,
        c.solved, c.submissions, c.accepted
    FROM counted c
    JOIN members m ON m.id = c.member_id AND NOT m.off_boards AND visible_to(@asking, m.id, m.audience)
)
SELECT name, display_name, custom, rank, solved, submissions, accepted
FROM ranked
WHERE @solved < 0 OR solved < @solved OR solved = @solved AND lower(name) > lower(@name)
ORDER BY solved DESC, lower(name)
LIMIT @limit
