-- Badges of a member that name a line of the log which is not there get those of their grant that have no badge, in
-- order.
WITH astray AS (
    SELECT b.id, b.grant_id, row_number() OVER (PARTITION BY b.grant_id ORDER BY b.log_id, b.id) AS nth
    FROM badges b
    JOIN award_grants g ON g.id = b.grant_id AND g.member_id = @member
    WHERE b.superseded_by IS NULL AND NOT EXISTS (SELECT FROM award_grant_log l WHERE l.id = b.log_id)
),
bare AS (
    SELECT l.id, l.grant_id, row_number() OVER (PARTITION BY l.grant_id ORDER BY l.id) AS nth
    FROM award_grant_log l
    JOIN award_grants g ON g.id = l.grant_id AND g.member_id = @member
    WHERE l.what IN ('granted', 'granted again') AND NOT EXISTS (
        SELECT FROM badges b WHERE b.log_id = l.id AND b.superseded_by IS NULL
    )
)
UPDATE badges b
SET log_id = bare.id
FROM astray
JOIN bare USING (grant_id, nth)
WHERE b.id = astray.id
