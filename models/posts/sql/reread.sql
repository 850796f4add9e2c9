-- Writes what a raw answer of a network showed of posts, unless a newer answer was read since, and
-- returns those that are not as they were. One that an answer had seemed to lack since is asked for again.
UPDATE posts p
SET likes = g.likes,
    reposts = g.reposts,
    replies = g.replies,
    quotes = g.quotes,
    bookmarks = g.bookmarks,
    views = g.views,
    metrics_at = @at,
    author = coalesce(nullif(g.author, ''), p.author),
    text = coalesce(nullif(g.text, ''), p.text),
    url = coalesce(nullif(g.url, ''), p.url),
    repost_of = coalesce(nullif(g.original, ''), p.repost_of),
    missing_count = CASE WHEN p.fetched_at <= @at THEN 0 ELSE p.missing_count END,
    missing_since = CASE WHEN p.fetched_at <= @at THEN NULL ELSE p.missing_since END,
    state = CASE WHEN p.state IN ('gone', 'protected') AND p.fetched_at <= @at THEN 'active' ELSE p.state END,
    next_update_at = CASE
        WHEN p.state IN ('gone', 'protected') AND p.fetched_at <= @at THEN coalesce(p.next_update_at, @now)
        ELSE p.next_update_at
    END
FROM unnest(
    CAST(@ids AS text[]), CAST(@likes AS bigint[]), CAST(@reposts AS bigint[]), CAST(@replies AS bigint[]),
    CAST(@quotes AS bigint[]), CAST(@bookmarks AS bigint[]), CAST(@views AS bigint[]), CAST(@authors AS text[]),
    CAST(@texts AS text[]), CAST(@urls AS text[]), CAST(@originals AS text[])
) AS g(id, likes, reposts, replies, quotes, bookmarks, views, author, text, url, original)
WHERE p.network = @network AND p.host = @host AND p.external_id = g.id
    AND (p.metrics_at IS NULL OR p.metrics_at <= @at)
    AND (
        p.metrics_at, p.likes, p.reposts, p.replies, p.quotes, p.bookmarks, p.views,
        p.author, p.text, p.url, p.repost_of
    ) IS DISTINCT FROM (
        CAST(@at AS timestamptz), g.likes, g.reposts, g.replies, g.quotes, g.bookmarks, g.views,
        coalesce(nullif(g.author, ''), p.author), coalesce(nullif(g.text, ''), p.text),
        coalesce(nullif(g.url, ''), p.url), coalesce(nullif(g.original, ''), p.repost_of)
    )
RETURNING p.id
