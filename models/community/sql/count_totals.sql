-- Counts the community anew: from the sums that each member and forum has, never from all submissions.
INSERT INTO community_totals AS t (
    counted_at, members, joined, submissions, solved, solved_week, solved_before, discussions, awards
)
SELECT
    CAST(@now AS timestamptz), m.members, m.joined, s.submissions, s.solved, w.week, w.before, d.discussions, g.awards
FROM (
    SELECT
        count(*) AS members,
        count(*) FILTER (WHERE created_at > CAST(@now AS timestamptz) - interval '30 days') AS joined
    FROM members
    WHERE NOT custom
) m
CROSS JOIN (
    SELECT coalesce(sum(submissions), 0) AS submissions, coalesce(sum(solved), 0) AS solved
    FROM member_stats
) s
CROSS JOIN (
    SELECT coalesce(sum(weeks[8]), 0) AS week, coalesce(sum(weeks[7]), 0) AS before
    FROM standings
) w
CROSS JOIN (SELECT count(*) AS discussions FROM forum_threads) d
CROSS JOIN (SELECT count(*) AS awards FROM award_grants WHERE revoked_at IS NULL) g
ON CONFLICT (one) DO UPDATE
SET counted_at = EXCLUDED.counted_at, members = EXCLUDED.members, joined = EXCLUDED.joined,
    submissions = EXCLUDED.submissions, solved = EXCLUDED.solved,
    solved_week = EXCLUDED.solved_week, solved_before = EXCLUDED.solved_before,
    discussions = EXCLUDED.discussions, awards = EXCLUDED.awards
WHERE t.counted_at <= EXCLUDED.counted_at
