-- The events of posts whose numbers were just fetched, or that are gone.
SELECT
    m.id AS member_id,
    m.name,
    m.time_zone AS zone,
    p.network || '/' || p.host || '/' || p.external_id AS item,
    'post' AS type,
    p.network AS object,
    CASE p.state WHEN 'gone' THEN 'deleted' ELSE 'active' END AS status,
    p.created_at AS at,
    json_build_object(
        'network', p.network,
        'likes', p.likes,
        'reposts', p.reposts,
        'replies', p.replies,
        'quotes', p.quotes,
        'bookmarks', p.bookmarks,
        'views', p.views,
        'repost', p.repost_of IS NOT NULL,
        'text', nullif(p.text, ''),
        'url', nullif(p.url, '')
    ) AS facts
FROM posts p
JOIN members m ON m.id = p.member_id AND NOT m.custom
WHERE p.id = ANY(CAST(@ids AS bigint[])) AND p.metrics_at IS NOT NULL AND (p.state = 'gone' OR p.metrics_at = @at)
ORDER BY p.id
