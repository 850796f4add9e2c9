-- How many members have each level of an award as their highest one. Who is in no count of holders is in none here:
-- see shown_awards.
SELECT h.level, count(*) AS members
FROM (
    SELECT max(g.level) AS level
    FROM award_grants g
    JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL AND NOT m.custom AND m.audience < 2
    WHERE g.award_id = @award AND g.revoked_at IS NULL
    GROUP BY g.member_id
) h
GROUP BY h.level
