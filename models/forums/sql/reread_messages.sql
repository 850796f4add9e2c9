-- Writes anew what messages say that were read from the answer @answer, where today's reader
-- finds something else in it. Returns them with where they stood. A Message-ID that another
-- message has is not taken.
WITH given AS MATERIALIZED (
    SELECT DISTINCT ON (url)
        url, id, reply, thread, period, number, author, address, subject, sent, shown, approximate, body, version,
        edited
    FROM unnest(
        CAST(@urls AS text[]), CAST(@ids AS text[]), CAST(@replies AS text[]), CAST(@threads AS text[]),
        CAST(@periods AS text[]), CAST(@numbers AS bigint[]), CAST(@authors AS text[]), CAST(@addresses AS text[]),
        CAST(@subjects AS text[]), CAST(@sent AS timestamptz[]), CAST(@shown AS text[]),
        CAST(@approximate AS boolean[]), CAST(@bodies AS text[]), CAST(@versions AS bigint[]),
        CAST(@edited AS timestamptz[])
    ) WITH ORDINALITY AS g(
        url, id, reply, thread, period, number, author, address,
        subject, sent, shown, approximate,
        body, version, edited, n
    )
    ORDER BY url, version DESC, n DESC
),
read AS MATERIALIZED (
    SELECT
        m.serial, m.thread_id, m.placed_at, g.url, g.reply, g.thread, g.period, g.number, g.author, g.address,
        g.subject,
        g.sent, g.shown, g.approximate, g.body, g.version, g.edited,
        CASE WHEN g.id = m.message_id OR count(*) OVER (PARTITION BY g.id) > 1
            OR EXISTS (SELECT FROM messages o WHERE o.forum_id = @forum AND o.message_id = g.id AND g.id <> '')
            THEN m.message_id ELSE g.id END AS free_id
    FROM given g
    JOIN messages m ON m.forum_id = @forum AND m.url = g.url
    WHERE m.response_id = @answer
)
UPDATE messages m
SET message_id = r.free_id, in_reply_to = r.reply, thread = r.thread, period = r.period, number = r.number,
    author = r.author, address = r.address, subject = r.subject, sent_at = r.sent, sent_shown = r.shown,
    approximate = r.approximate, body = r.body, version = r.version, edited_at = r.edited,
    thread_id = CASE
        WHEN (m.message_id, m.in_reply_to, m.thread, m.subject, m.sent_at) IS DISTINCT FROM
            (r.free_id, r.reply, r.thread, r.subject, r.sent) THEN NULL ELSE m.thread_id
    END,
    placed_at = CASE
        WHEN r.sent IS NOT DISTINCT FROM m.sent_at THEN m.placed_at
        WHEN r.sent IS NULL OR (r.sent > @soon AND NOT @followed) THEN '0001-01-01'
        ELSE least(r.sent, CAST(@now AS timestamptz))
    END
FROM read r
WHERE m.serial = r.serial
    AND (m.message_id, m.in_reply_to, m.thread, m.period, m.number, m.author, m.address, m.subject, m.sent_at,
        m.sent_shown, m.approximate, m.body, m.version, m.edited_at)
    IS DISTINCT FROM (r.free_id, r.reply, r.thread, r.period, r.number, r.author, r.address, r.subject, r.sent,
        r.shown, r.approximate, r.body, r.version, r.edited)
RETURNING m.serial, m.url, coalesce(r.thread_id, 0) AS thread_id, m.thread_id IS NULL AS alone,
    r.placed_at AS placed_before, m.placed_at
