-- Until when an account is covered, and the newest submission before.
WITH covered AS (
    SELECT least(least(newest_at, @now) - make_interval(secs => @overlap), (
        SELECT min(submitted_at) FROM submissions
        WHERE account_id = @id AND status = 'PENDING' AND submitted_at > @pending)) AS at
    FROM account_stats
    WHERE account_id = @id)
SELECT covered.at AS covered_at, coalesce((
    SELECT site_id FROM submissions s
    WHERE s.member_id = @member AND s.account_id = @id AND s.submitted_at < covered.at
    ORDER BY s.submitted_at DESC, s.id DESC
    LIMIT 1), '') AS covered_id
FROM covered
