-- Who may write under which name and address: first what members ask for, the oldest first,
-- and then what addresses hint at, the most messages first. What was decided is left out.
WITH messages_of AS (
    SELECT s.member_id, m.serial, 'mail' AS reason
    FROM notice_settings s
    JOIN messages m ON plain_address(m.address) = plain_address(s.address) AND m.address <> ''
    WHERE s.address <> '' AND s.confirmed_at IS NOT NULL AND m.member_id IS NULL
    UNION ALL
    SELECT a.member_id, m.serial, 'address'
    FROM message_authors a
    JOIN messages m ON plain_address(m.address) = a.address AND m.address <> ''
    WHERE a.state = 'said' AND a.member_id IS NOT NULL AND a.address LIKE '%@%' AND m.member_id IS NULL
    UNION ALL
    SELECT b.id, m.serial, 'name'
    FROM members b
    JOIN messages m ON lower(m.author) = lower(b.display_name)
    WHERE b.display_name <> ''
        AND m.member_id IS NULL
        AND EXISTS (
            SELECT
            FROM (
                SELECT lower(b.name) AS handle
                UNION ALL
                SELECT lower(a.handle)
                FROM accounts a
                WHERE a.member_id = b.id
            ) h
            WHERE length(h.handle) >= 3 AND strpos(split_part(plain_address(m.address), '@', 1), h.handle) > 0
        )
),
hints AS MATERIALIZED (
    SELECT
        o.member_id,
        CASE WHEN plain_address(m.address) LIKE '%@%' THEN NULL ELSE m.forum_id END AS forum_id,
        min(m.author) AS name,
        plain_address(m.address) AS address,
        string_agg(DISTINCT o.reason, ' ') AS reasons,
        count(DISTINCT m.serial) AS messages
    FROM messages_of o
    JOIN messages m ON m.serial = o.serial
    GROUP BY o.member_id, 2, lower(m.author), 4
),
suggested AS (
    SELECT id, member_id, member, forum_id, forum, name, address, 'asked' AS reasons, 0 AS messages
    FROM message_author_list
    WHERE state = 'asked'
    UNION ALL
    SELECT 0, h.member_id, b.name, h.forum_id, coalesce(f.slug, ''), h.name, h.address, h.reasons, h.messages
    FROM hints h
    JOIN members b ON b.id = h.member_id
    LEFT JOIN forums f ON f.id = h.forum_id
    WHERE NOT EXISTS (
        SELECT
        FROM message_authors a
        WHERE (
                (a.state = 'said' AND a.member_id IS NULL)
                OR (a.state <> 'said' AND a.member_id = h.member_id)
            )
            AND (a.forum_id IS NULL OR a.forum_id = h.forum_id)
            AND (a.name = '' OR lower(a.name) = lower(h.name))
            AND (a.address = '' OR a.address = h.address)
    )
)
SELECT id, member_id, member, forum_id, forum, name, address, reasons, messages
FROM suggested
ORDER BY id = 0, id, messages DESC, member, address, name
LIMIT @limit
