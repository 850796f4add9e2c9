-- Notices as lines, newest first: those of an e-mail (@mail) or of a message to the webhook
-- (@hook) that are still true, or those on the page of a member (@member) behind a cursor.
-- Older grants, and new awards, of a day in the member's zone are one line.
WITH chosen AS (
    SELECT id
    FROM notices
    WHERE mail_id = CAST(@mail AS bigint)
    UNION ALL
    SELECT id
    FROM notices
    WHERE hook_id = CAST(@hook AS bigint)
    UNION ALL
    SELECT id
    FROM notices
    WHERE member_id = CAST(@member AS bigint) AND shown AND released_at <= @before
)
SELECT
    max(n.id) AS id,
    n.kind,
    max(n.released_at) AS at,
    bool_or(n.read_at IS NULL) AS unread,
    f.member,
    f.name,
    max(f.revoked_reason) AS reason,
    bool_and(f.holds) AS holds,
    coalesce(max(f.alarm), '') AS alarm,
    max(n.text) AS text,
    coalesce(max(f.follower_name), '') AS follower,
    CAST(coalesce(
        json_agg(json_build_object(
            'slug', f.slug, 'title', f.title, 'level', n.level, 'called', f.level_title, 'period', n.period
        ) ORDER BY n.id) FILTER (WHERE f.slug IS NOT NULL),
        '[]'
    ) AS text) AS listed
FROM chosen
JOIN notices n ON n.id = chosen.id
JOIN notice_facts f ON f.id = n.id
WHERE f.member_id IS NOT NULL
    AND (CAST(@member AS bigint) IS NOT NULL OR f.wrong = '')
    AND (
        n.kind IN ('site', 'renamed')
        OR (n.kind = 'follow' AND f.follower IS NOT NULL)
        OR f.award_state IN ('active', 'paused', 'retired')
    )
GROUP BY
    n.kind,
    f.member_id,
    f.member,
    f.name,
    CASE
        WHEN n.kind IN ('older', 'new') THEN CAST(CAST(n.released_at AT TIME ZONE f.time_zone AS date) AS text)
        ELSE CAST(n.id AS text)
    END
HAVING @first OR (max(n.released_at), max(n.id)) < (CAST(@at AS timestamptz), CAST(@id AS bigint))
ORDER BY at DESC, id DESC
