-- Gives messages to the members who wrote them, with which side they are of the comparison
-- that each links to. Returns those that changed, with whose they were.
WITH senders AS MATERIALIZED (
    SELECT DISTINCT forum_id, author, address
    FROM messages
    WHERE serial = ANY(CAST(@serials AS bigint[]))
),
authors AS MATERIALIZED (
    SELECT s.forum_id, s.author, s.address, b.id AS member_id, b.name
    FROM senders s
    LEFT JOIN members b ON b.id = message_author(s.forum_id, s.author, plain_address(s.address))
),
moved AS MATERIALIZED (
    SELECT
        m.serial,
        m.member_id AS had,
        a.member_id AS has,
        CASE lower(a.name)
            WHEN lower(split_part(nullif(m.compared, ''), '/', 1)) THEN 'a'
            WHEN lower(split_part(nullif(m.compared, ''), '/', 2)) THEN 'b'
            ELSE ''
        END AS selectand
    FROM messages m
    JOIN authors a ON a.forum_id = m.forum_id AND a.author = m.author AND a.address = m.address
    WHERE m.serial = ANY(CAST(@serials AS bigint[])) AND m.member_id IS DISTINCT FROM a.member_id
    ORDER BY m.serial
    FOR UPDATE OF m
)
UPDATE messages m
SET member_id = moved.has, selectand = moved.selectand
FROM moved
WHERE m.serial = moved.serial
RETURNING m.serial, coalesce(moved.had, 0) AS had
