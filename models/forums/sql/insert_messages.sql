-- Stores messages that are new, the oldest first: serials grow with time where that can be.
INSERT INTO messages (
    forum_id, thread_id, url, message_id, in_reply_to, thread, period, number, author, address, subject, sent_at,
    sent_shown, approximate, body, version, edited_at, stored_at, placed_at,
    response_id
)
SELECT
    @forum, thread_id, url, id, reply, thread, period, number, author, address, subject, sent,
    shown, approximate, body, version, edited, @now,
    CASE
        WHEN sent IS NULL OR (sent > @soon AND NOT @followed) THEN '0001-01-01'
        ELSE least(sent, CAST(@now AS timestamptz))
    END,
    nullif(CAST(@answer AS bigint), 0)
FROM unnest(
    CAST(@urls AS text[]), CAST(@ids AS text[]), CAST(@replies AS text[]), CAST(@threads AS text[]),
    CAST(@periods AS text[]), CAST(@numbers AS bigint[]), CAST(@authors AS text[]), CAST(@addresses AS text[]),
    CAST(@subjects AS text[]), CAST(@sent AS timestamptz[]), CAST(@shown AS text[]), CAST(@approximate AS boolean[]),
    CAST(@bodies AS text[]), CAST(@thread_ids AS bigint[]), CAST(@versions AS bigint[]), CAST(@edited AS timestamptz[])
) WITH ORDINALITY AS g(
    url, id, reply, thread, period, number, author, address,
    subject, sent, shown, approximate,
    body, thread_id, version, edited, n
)
ORDER BY n DESC
ON CONFLICT DO NOTHING
RETURNING serial, url
