-- The newest unread rows of each site, at most @most, with how many the site has.
WITH ranked AS (
    SELECT m.name AS member, a.site, a.handle, u.key, u.text, u.why, u.first_seen_at, u.last_seen_at,
        count(*) OVER (PARTITION BY a.site) AS of,
        row_number() OVER (PARTITION BY a.site ORDER BY u.first_seen_at DESC, u.account_id, u.key) AS place
    FROM unread_rows u
    JOIN accounts a ON a.id = u.account_id
    JOIN members m ON m.id = a.member_id)
SELECT member, site, handle, key, text, why, first_seen_at, last_seen_at, of
FROM ranked
WHERE place <= @most
ORDER BY site, place
