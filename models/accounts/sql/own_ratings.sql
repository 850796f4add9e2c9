-- A member's rated contests as a sheet, oldest first.
SELECT
    to_char(r.rated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS rated_at,
    a.site,
    a.handle,
    r.contest,
    r.name,
    r.rank,
    r.rating,
    r.url
FROM ratings r
JOIN accounts a ON a.id = r.account_id
WHERE a.member_id = @member
ORDER BY r.rated_at, a.site, r.contest
