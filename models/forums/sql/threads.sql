-- Threads of a forum, or of all where @forum is 0, those in which was written last first, behind a cursor;
-- or with @serial the one that holds a message. One whose first message @asking may not see is shown by the first one
-- that they may, or not at all.
SELECT
    t.id, t.forum_id, t.messages, t.people, t.first_at, t.last_at,
    coalesce(v.serial, t.head) AS head,
    coalesce(v.subject, t.subject) AS subject,
    coalesce(v.author, t.author) AS author,
    coalesce(v.member, t.member) AS member,
    CASE WHEN v.serial IS NULL THEN coalesce(t.member_id, 0) ELSE coalesce(v.member_id, 0) END AS member_id,
    f.slug AS forum,
    f.name AS forum_name
FROM forum_thread_list t
JOIN forums f ON f.id = t.forum_id
LEFT JOIN LATERAL (
    SELECT m.serial, m.subject, m.author, m.member_id, coalesce(b.name, '') AS member
    FROM messages m
    LEFT JOIN members b ON b.id = m.member_id
    WHERE m.thread_id = t.id AND visible_to(@asking, b.id, b.audience)
    ORDER BY m.placed_at, m.serial
    LIMIT 1
) v ON NOT visible_to(@asking, t.member_id, t.audience)
WHERE (@forum = 0 OR t.forum_id = @forum)
    AND (
        @serial = 0
        OR t.id = (
            SELECT m.thread_id
            FROM messages m
            LEFT JOIN members b ON b.id = m.member_id
            WHERE m.serial = @serial AND visible_to(@asking, b.id, b.audience)
        )
    )
    AND (@first OR (t.last_at, t.id) < (@at, @id))
    AND (v.serial IS NOT NULL OR visible_to(@asking, t.member_id, t.audience))
ORDER BY t.last_at DESC, t.id DESC
LIMIT @limit
