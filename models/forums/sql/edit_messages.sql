-- Writes anew the text and subject of messages that were edited since they were stored.
WITH given AS (
    SELECT DISTINCT ON (url) url, subject, body, version, edited
    FROM unnest(
        CAST(@urls AS text[]), CAST(@subjects AS text[]), CAST(@bodies AS text[]), CAST(@versions AS bigint[]),
        CAST(@edited AS timestamptz[])
    ) AS g(url, subject, body, version, edited)
    ORDER BY url, version DESC
)
UPDATE messages m
SET subject = g.subject, body = g.body, version = g.version, edited_at = g.edited,
    response_id = nullif(CAST(@answer AS bigint), 0)
FROM given g
WHERE m.forum_id = @forum AND m.url = g.url AND m.version < g.version
RETURNING m.serial, m.url
