-- Writes what requests found of posts that are still leased, ends the leases, and returns
-- the ids of those that are not any more: as JSON, or null, mostly, where there are none.
WITH stored AS (
    UPDATE posts p
    SET likes = g.likes,
        reposts = g.reposts,
        replies = g.replies,
        quotes = g.quotes,
        bookmarks = g.bookmarks,
        views = g.views,
        metrics_at = CASE WHEN g.found THEN CAST(@now AS timestamptz) ELSE p.metrics_at END,
        fetches = p.fetches + CAST(g.answered AS integer),
        fetched_at = CASE WHEN g.answered THEN CAST(@now AS timestamptz) ELSE p.fetched_at END,
        state = g.state,
        next_update_at = CASE WHEN p.requested_at > @claimed THEN p.next_update_at ELSE g.next END,
        leased_until = NULL,
        lease_id = NULL,
        attempts = g.attempts,
        missing_count = g.missing,
        missing_since = g.since,
        last_error = g.err,
        charged_on = CAST(g.charged AS date),
        author = coalesce(nullif(g.author, ''), p.author),
        text = coalesce(nullif(g.text, ''), p.text),
        url = coalesce(nullif(g.url, ''), p.url),
        repost_of = coalesce(nullif(g.original, ''), p.repost_of),
        created_at = coalesce(g.created, p.created_at)
    FROM unnest(
        CAST(@ids AS bigint[]), CAST(@likes AS bigint[]), CAST(@reposts AS bigint[]), CAST(@replies AS bigint[]),
        CAST(@quotes AS bigint[]), CAST(@bookmarks AS bigint[]), CAST(@views AS bigint[]), CAST(@found AS boolean[]),
        CAST(@answered AS boolean[]), CAST(@states AS text[]), CAST(@errs AS text[]), CAST(@authors AS text[]),
        CAST(@texts AS text[]), CAST(@urls AS text[]), CAST(@originals AS text[]), CAST(@attempts AS smallint[]),
        CAST(@missing AS smallint[]), CAST(@next AS timestamptz[]), CAST(@since AS timestamptz[]),
        CAST(@created AS timestamptz[]), CAST(@charged AS timestamptz[])
    ) AS g(
        id, likes, reposts, replies, quotes, bookmarks, views, found, answered, state, err, author, text, url, original,
        attempts, missing, next, since, created, charged
    )
    -- Statistics that were taken while nothing was leased say that no row is: coalesce
    -- keeps the planner from searching by that.
    WHERE p.id = g.id AND coalesce(p.lease_id = @lease, false)
    RETURNING p.id
)
SELECT
    CASE WHEN count(*) < cardinality(CAST(@ids AS bigint[])) THEN (
        SELECT array_to_json(array_agg(id))
        FROM unnest(CAST(@ids AS bigint[])) AS g(id)
        WHERE id NOT IN (SELECT id FROM stored)
    ) END
FROM stored
