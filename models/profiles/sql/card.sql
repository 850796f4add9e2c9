-- What the card of a member shows: totals, streaks, the days since @since, the rating on the site with
-- the most rated contests, and awards that everybody may see.
SELECT
    m.id,
    m.name,
    m.display_name,
    m.time_zone,
    m.custom,
    s.submissions,
    s.solved,
    s.day_streak,
    s.best_day_streak,
    s.last_day,
    (
        SELECT
            string_agg(
                concat_ws(' ', day - CAST(@since AS date), submissions, accepted, undetailed), ' ' ORDER BY day
            )
        FROM days
        WHERE member_id = m.id AND day >= @since
    ) AS days,
    coalesce(r.site, '') AS rated_on,
    coalesce(r.rating, 0) AS rating,
    (
        SELECT count(DISTINCT g.award_id)
        FROM award_grants g
        JOIN awards a ON a.id = g.award_id
        WHERE g.member_id = m.id AND g.revoked_at IS NULL AND award_visible(a.id, a.state, a.secret, 0)
    ) AS awards,
    (
        SELECT max(c.complete_until)
        FROM accounts a
        JOIN account_coverage c ON c.account_id = a.id
        WHERE a.member_id = m.id
    ) AS updated
FROM members m
LEFT JOIN member_stats s ON s.member_id = m.id
LEFT JOIN LATERAL (
    SELECT a.site, (array_agg(r.rating ORDER BY r.rated_at DESC, r.contest DESC))[1] AS rating
    FROM accounts a
    JOIN ratings r ON r.account_id = a.id
    WHERE a.member_id = m.id
    GROUP BY a.site
    ORDER BY count(*) DESC, a.site
    LIMIT 1
) r ON true
WHERE lower(m.name) = lower(@name) AND visible_to(@asking, m.id, m.audience)
