-- Counts the community anew: from the sums that each member and forum has, never from all submissions.
INSERT INTO community_totals AS t (counted_at, members, joined, submissions, solved, discussions, awards)
SELECT CAST(@now AS timestamptz), m.members, m.joined, s.submissions, s.solved, d.discussions, g.awards
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
CROSS JOIN (SELECT count(*) AS discussions FROM forum_threads) d
CROSS JOIN (SELECT count(*) AS awards FROM award_grants WHERE revoked_at IS NULL) g
ON CONFLICT (one) DO UPDATE
SET counted_at = EXCLUDED.counted_at, members = EXCLUDED.members, joined = EXCLUDED.joined,
    submissions = EXCLUDED.submissions, solved = EXCLUDED.solved,
    discussions = EXCLUDED.discussions, awards = EXCLUDED.awards
WHERE t.counted_at <= EXCLUDED.counted_at
