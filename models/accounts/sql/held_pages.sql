-- The pages of people without an account who have a handle, for its owner, who proved it: whether everybody may see
-- each, and the sites of the other handles that keep it from that.
SELECT
    m.name, m.display_name, m.audience = 0 AS public,
    (
        SELECT coalesce(string_agg(o.site, ' ' ORDER BY o.site), '')
        FROM accounts o
        WHERE o.member_id = m.id AND o.id <> a.id
            AND NOT EXISTS (SELECT FROM shown_handles s WHERE s.site = o.site AND s.handle = lower(o.handle))
    ) AS lacks
FROM accounts a
JOIN members m ON m.id = a.member_id AND m.custom
WHERE a.site = @site AND lower(a.handle) = lower(@handle)
ORDER BY lower(m.name)
LIMIT @most
