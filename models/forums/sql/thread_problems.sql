-- The problems that messages of threads link to, those that most messages do first, at most @most of each thread.
-- Messages of whom @asking may not see do not count.
SELECT
    x.thread_id,
    x.key,
    coalesce(p.name, '') AS name
FROM (
    SELECT
        m.thread_id,
        r.key,
        row_number() OVER (PARTITION BY m.thread_id ORDER BY count(*) DESC, r.key) AS place
    FROM messages m
    JOIN message_references r ON r.serial = m.serial AND r.kind = 'problem'
    LEFT JOIN members b ON b.id = m.member_id
    WHERE m.thread_id = ANY(CAST(@ids AS bigint[])) AND visible_to(@asking, b.id, b.audience)
    GROUP BY m.thread_id, r.key
) x
LEFT JOIN problems p ON p.site = split_part(x.key, '/', 1) AND p.key = substr(x.key, strpos(x.key, '/') + 1)
WHERE x.place <= @most
ORDER BY x.thread_id, x.place
