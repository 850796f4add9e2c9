-- Stores a report of a member (@by) or of an address (@visitor) about a profile or a message. The same one again, while
-- it waits, has the new reason.
WITH again AS (
    UPDATE reports SET text = @text, at = @now
    WHERE resolved_at IS NULL
        AND (reporter_id = CAST(@by AS bigint) OR visitor = CAST(@visitor AS text))
        AND (member_id = CAST(@member AS bigint) OR serial = CAST(@serial AS bigint))
    RETURNING id
),
new AS (
    INSERT INTO reports (reporter_id, visitor, member_id, serial, text, at)
    SELECT
        CAST(@by AS bigint), CAST(@visitor AS text), CAST(@member AS bigint), CAST(@serial AS bigint), @text, @now
    WHERE NOT EXISTS (SELECT FROM again)
    ON CONFLICT DO NOTHING -- Of two at once the first one stays.
    RETURNING id
)
SELECT id FROM again
UNION ALL
SELECT id FROM new
