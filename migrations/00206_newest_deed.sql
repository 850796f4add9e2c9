-- +goose Up

-- newest_deed as before, as a table of one row: PostgreSQL inlines that into the statement, which then probes
-- once where it called the function for each mention of what it returned.
DROP FUNCTION newest_deed(bigint, timestamptz, bigint);
-- +goose StatementBegin
CREATE FUNCTION newest_deed(of_member bigint, before timestamptz, viewer bigint) RETURNS TABLE (at timestamptz) STABLE LANGUAGE sql AS $$
    SELECT max(d.at)
    FROM (
        (
            SELECT s.first_at AS at
            FROM solved s
            WHERE s.member_id = of_member AND s.first_at < before AND s.first_at > '1990-01-01 00:00:00+00'
            ORDER BY s.first_at DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT g.granted_at
            FROM award_grants g
            JOIN awards a ON a.id = g.award_id
            JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL
            WHERE g.member_id = of_member AND g.granted_at < before AND g.revoked_at IS NULL
                AND award_visible(a.id, a.state, a.secret, viewer)
            ORDER BY g.granted_at DESC
            LIMIT 1
        )
    ) d
$$;
-- +goose StatementEnd
