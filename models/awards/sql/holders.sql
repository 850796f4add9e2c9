-- Who has an award, each with the highest level, newest first, behind a cursor.
SELECT g.id, m.id AS member_id, m.name, m.display_name, g.period, g.level, g.granted_at, g.given_by
FROM award_grants g
JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL AND visible_to(@asking, m.id, m.audience)
WHERE g.award_id = @award AND g.revoked_at IS NULL
    AND (@first OR (g.granted_at, g.id) < (@at, @id))
    AND NOT EXISTS (
        SELECT FROM award_grants h
        WHERE h.award_id = g.award_id AND h.member_id = g.member_id AND h.period = g.period
            AND h.level > g.level AND h.revoked_at IS NULL
    )
ORDER BY g.granted_at DESC, g.id DESC
LIMIT @limit
