-- Posts whose numbers were just fetched, or that are gone.
SELECT e.member_id, e.item
FROM posts p
JOIN posts_events e ON e.id = p.id
WHERE p.id = ANY(CAST(@ids AS bigint[])) AND (p.state = 'gone' OR p.metrics_at = @at)
ORDER BY p.id
